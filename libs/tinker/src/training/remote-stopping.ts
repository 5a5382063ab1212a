import { type StoppingProgress, StoppingRule, type StoppingSettings } from '@hone/engine';

import type { RemoteModel } from './remote-model.js';

/** Early stopping of a job at a server, as its resume points keep it. */
export interface SavedStopping extends StoppingProgress {
  /** Where the server keeps the weights of the best loss; null: no loss was finite yet. */
  readonly best_weights: string | null;
}

/** Early stopping at a server, which keeps the weights with the lowest validation loss. */
export class RemoteStopping {
  readonly rule: StoppingRule;
  private best: string | null;
  /** Weights that were the best until others were; the last resume point may still name them. */
  private surpassed: string[] = [];

  /** @param saved of the resume point that the attempt goes on from; null: the job begins */
  constructor(settings: StoppingSettings, saved: SavedStopping | null) {
    this.best = saved?.best_weights ?? null;
    this.rule = new StoppingRule(settings, saved ?? undefined);
  }

  /** An evaluation after gradient step `k` of `model`, whose weights are kept under `name` when they are the best so far. */
  async record(k: number, loss: number, model: RemoteModel, name: string): Promise<void> {
    if (!this.rule.record(k, loss)) return;
    if (this.best !== null) this.surpassed.push(this.best);
    this.best = await model.save(name);
  }

  /** The best weights, and the gradient step that led to them. Null: no loss was finite. */
  get kept(): { readonly weights: string; readonly k: number } | null {
    return this.best === null ? null : { weights: this.best, k: this.rule.progress.best_step };
  }

  get saved(): SavedStopping {
    return { ...this.rule.progress, best_weights: this.best };
  }

  /** Deletes weights that nothing refers to any more. Call it after a resume point with {@link saved}. */
  async forgetSurpassed(model: RemoteModel): Promise<void> {
    const paths = this.surpassed;
    this.surpassed = [];
    for (const path of paths) await model.forget(path);
  }
}
