import { EngineError } from '../errors.js';

/** The loss or the gradient of a step is not a number: the step was not taken. */
export class NonFiniteLossError extends EngineError {
  constructor(step: number) {
    super(
      'engine.nonfinite_loss',
      `The loss or its gradient is not finite at gradient step ${step}. A lower learning rate may help.`,
    );
  }
}
