import type { Target } from '../target.js';
import type { TrainedWeights, Upstream } from '../upstream.js';
import type { EmbeddedModels } from './embedded-models.js';
import { GENERATES } from './embedded-target.js';
import { EMBEDS } from './embeddings/embedding-target.js';
import { LazyTarget } from './lazy-target.js';
import { TrainedTarget } from './trained-target.js';

/** The embedded engine in the configuration. */
export interface EmbeddedSettings {
  readonly kind: 'embedded';
  /** Name in the configuration. */
  readonly name: string;
}

/** The embedded engine as an upstream: one target for each base model, for the lifetime of the process. */
export class EmbeddedUpstream implements Upstream {
  private readonly targets = new Map<string, LazyTarget>();

  constructor(
    private readonly name: string,
    private readonly engine: EmbeddedModels,
  ) {}

  /** Ids of the base models that the engine can open now. */
  get models(): readonly string[] {
    return this.engine.folders.ids;
  }

  target(model: string): Target | null {
    if (!this.models.includes(model)) return null;
    const isEmbedding = this.engine.folders.isEmbedding(model);
    const known = this.targets.get(model);
    // Another model may have taken the name.
    if (known?.endpoints === (isEmbedding ? EMBEDS : GENERATES)) return known;
    const target = isEmbedding
      ? new LazyTarget(this.name, model, () => this.engine.embeddingTarget(model), EMBEDS)
      : new LazyTarget(this.name, model, () => this.engine.target(model));
    this.targets.set(model, target);
    return target;
  }

  /** Any of them: a folder with the base model may appear at any time. */
  loadsTrained(): boolean {
    return true;
  }

  trainedTarget(weights: TrainedWeights): Target {
    return new TrainedTarget(this.name, this.engine, weights);
  }

  /** Does nothing: the engine outlives configurations and is closed with the process. */
  async close(): Promise<void> {}
}
