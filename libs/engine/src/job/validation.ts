import type { PlannedSequence } from '../plan/plan.js';
import { validationInterval } from '../plan/validation-split.js';
import type { Scorer, TrainSequence } from '../train/train-sequence.js';
import { toScored } from './scored-sequences.js';
import type { StepMetrics } from './training-engine.js';

/** What held-out data shows. */
export interface ValidationResult {
  /** May be not finite. */
  readonly loss: number;
  /** Further metrics of the gradient step. */
  readonly metrics: StepMetrics;
}

/** Held-out data, evaluated between gradient steps. */
export interface HeldOut {
  /** Whether gradient step `k` is followed by an evaluation; the last step always is. */
  isDue(k: number, lastStep: number): boolean;
  /** Computes the loss under the current weights, which it does not change. */
  evaluate(learner: Scorer): Promise<ValidationResult>;
}

/** Every so many steps, and after the last one. */
export const isDue = (k: number, every: number, lastStep: number): boolean => k % every === 0 || k === lastStep;

/** Computes the loss of held-out lines between gradient steps; changes no weights. */
export class Validation implements HeldOut {
  private readonly row: readonly TrainSequence[];
  private readonly every: number;

  /** @param sequences at least one, each with a trained token */
  constructor(sequences: readonly PlannedSequence[], every: number | null) {
    this.row = toScored(sequences);
    this.every = validationInterval(every, sequences.length);
  }

  /** The last step is always evaluated. */
  isDue(k: number, lastStep: number): boolean {
    return isDue(k, this.every, lastStep);
  }

  /** The loss is the cross entropy over all trained tokens, in nats per token. */
  async evaluate(learner: Scorer): Promise<ValidationResult> {
    let sum = 0;
    let count = 0;
    for (const { lp } of await learner.score(this.row)) {
      for (const value of lp) sum -= value;
      count += lp.length;
    }
    return { loss: sum / count, metrics: {} };
  }
}
