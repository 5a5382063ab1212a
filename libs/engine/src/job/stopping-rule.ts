import type { StepMetrics } from './training-engine.js';
import type { TrainingSpec } from './training-spec.js';

export type StoppingSettings = NonNullable<NonNullable<TrainingSpec['validation']>['early_stopping']>;

/** State of early stopping, as a resume point keeps it. */
export interface StoppingProgress {
  /** Null: no evaluation has given a finite loss yet. */
  readonly best_loss: number | null;
  /** Gradient step of the best loss. */
  readonly best_step: number;
  /** Evaluations since then. */
  readonly without_improvement: number;
  /** The last gradient step that was taken; null: training goes on. */
  readonly stopped_after_step: number | null;
}

const NOTHING_YET: StoppingProgress = {
  best_loss: null,
  best_step: 0,
  without_improvement: 0,
  stopped_after_step: null,
};

/** Decides when training ends: when the validation loss no longer falls. */
export class StoppingRule {
  /** @param now of the attempt that left the resume point; absent: the job begins */
  constructor(
    private readonly settings: StoppingSettings,
    private now: StoppingProgress = NOTHING_YET,
  ) {}

  /** An evaluation after gradient step `k`. @returns whether it is the best so far; a loss that is not finite never is */
  record(k: number, loss: number): boolean {
    const { best_loss, without_improvement } = this.now;
    if (Number.isFinite(loss) && (best_loss === null || loss < best_loss - this.settings.min_delta)) {
      this.now = { best_loss: loss, best_step: k, without_improvement: 0, stopped_after_step: null };
      return true;
    }
    const count = without_improvement + 1;
    const stopped = count >= this.settings.patience ? k : null;
    this.now = { ...this.now, without_improvement: count, stopped_after_step: stopped };
    return false;
  }

  get progress(): StoppingProgress {
    return this.now;
  }

  get hasStopped(): boolean {
    return this.now.stopped_after_step !== null;
  }

  /** Of the step that was just recorded. */
  get metrics(): StepMetrics {
    const { best_loss, stopped_after_step } = this.now;
    return {
      ...(best_loss === null ? {} : { best_validation_loss: best_loss }),
      ...(stopped_after_step === null ? {} : { stopped_after_step }),
    };
  }

  /** Metrics of a gradient step that early stopping skips: the weights do not change. */
  get leftOut(): StepMetrics {
    return { stopped_early: 1, ...this.metrics };
  }
}
