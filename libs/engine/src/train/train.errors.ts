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

/** An update left weights or moments that are not finite, or weights that give no finite probabilities: it is not saved. */
export class NonFiniteUpdateError extends EngineError {
  constructor(step: number) {
    super(
      'engine.nonfinite_loss',
      `The weights are not finite, or give no finite probabilities, after gradient step ${step}. A lower learning rate may help.`,
    );
  }
}
