import { copyState, type TrainState } from '../train/trainer.js';
import { type StoppingProgress, StoppingRule, type StoppingSettings } from './stopping-rule.js';

/** Early stopping of the embedded engine, which keeps the weights with the lowest validation loss in memory. */
export class EarlyStopping {
  readonly rule: StoppingRule;
  private best: TrainState | null;

  /**
   * @param progress of the attempt that left the resume point; absent: the job begins
   * @param best state of `progress.best_step`; it is copied
   */
  constructor(settings: StoppingSettings, progress?: StoppingProgress, best: TrainState | null = null) {
    this.best = best && copyState(best);
    this.rule = new StoppingRule(settings, progress);
  }

  /** An evaluation after gradient step `k`, which led to `state`. */
  record(k: number, loss: number, state: TrainState): void {
    if (this.rule.record(k, loss)) this.best = copyState(state);
  }

  /** The state to keep, and the gradient step that led to it. Null: no loss was finite. */
  get kept(): { readonly state: TrainState; readonly k: number } | null {
    return this.best && { state: this.best, k: this.rule.progress.best_step };
  }

  /** For a resume point at `current`, which is not written twice when it is the best. */
  toSave(current: TrainState): { readonly progress: StoppingProgress; readonly best: TrainState | null } {
    return { progress: this.rule.progress, best: this.best?.updates === current.updates ? null : this.best };
  }
}
