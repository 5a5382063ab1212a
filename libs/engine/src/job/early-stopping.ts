import type { TrainState } from '../train/trainer.js';
import type { StepMetrics } from './training-engine.js';
import type { TrainingSpec } from './training-spec.js';

type Settings = NonNullable<NonNullable<TrainingSpec['validation']>['early_stopping']>;

/** How far early stopping is, as a resume point keeps it. */
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

/** Ends training when the validation loss does not fall any more, and keeps the weights with the lowest. */
export class EarlyStopping {
  /**
   * @param progress of the attempt that left the resume point; absent: the job begins
   * @param best state of `progress.best_step`
   */
  constructor(
    private readonly settings: Settings,
    private progress: StoppingProgress = NOTHING_YET,
    private best: TrainState | null = null,
  ) {}

  /** An evaluation after gradient step `k`, which led to `state`. A loss that is not finite is no improvement. */
  record(k: number, loss: number, state: TrainState): void {
    const { best_loss, without_improvement } = this.progress;
    if (Number.isFinite(loss) && (best_loss === null || loss < best_loss - this.settings.min_delta)) {
      this.progress = { best_loss: loss, best_step: k, without_improvement: 0, stopped_after_step: null };
      this.best = state;
      return;
    }
    const count = without_improvement + 1;
    const stopped = count >= this.settings.patience ? k : null;
    this.progress = { ...this.progress, without_improvement: count, stopped_after_step: stopped };
  }

  get hasStopped(): boolean {
    return this.progress.stopped_after_step !== null;
  }

  /** Of the step that was just recorded, or of one that is left out. */
  get metrics(): StepMetrics {
    const { best_loss, stopped_after_step } = this.progress;
    return best_loss === null && stopped_after_step === null
      ? {}
      : {
          ...(best_loss === null ? {} : { best_validation_loss: best_loss }),
          ...(stopped_after_step === null ? {} : { stopped_after_step }),
        };
  }

  /** The state to keep, and the gradient step that led to it. Null: no loss was finite. */
  get kept(): { readonly state: TrainState; readonly k: number } | null {
    return this.best && { state: this.best, k: this.progress.best_step };
  }

  /** For a resume point at `current`, which is not written twice when it is the best. */
  toSave(current: TrainState): { readonly progress: StoppingProgress; readonly best: TrainState | null } {
    return { progress: this.progress, best: this.best === current ? null : this.best };
  }
}
