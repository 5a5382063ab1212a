import type { EmbeddedModels, EmbeddedTarget } from '../embedded/index.js';
import type { EmbeddedTargets } from '../routing/route-table.js';
import { LazyEmbeddedTarget } from './lazy-embedded-target.js';

/** A base model of the embedded engine. */
class EmbeddedModelTarget extends LazyEmbeddedTarget {
  constructor(
    private readonly models: EmbeddedModels,
    upstream: string,
    model: string,
  ) {
    super(upstream, model);
  }

  /** @throws EngineError the model cannot be served */
  protected load(): Promise<EmbeddedTarget> {
    return this.models.target(this.model);
  }
}

/** The embedded engine's models as the route table takes them: one target each, for as long as the process lives. */
export class EmbeddedCatalogue implements EmbeddedTargets {
  private readonly targets = new Map<string, LazyEmbeddedTarget>();

  private constructor(
    private readonly engine: EmbeddedModels,
    readonly models: readonly string[],
  ) {}

  static async open(engine: EmbeddedModels): Promise<EmbeddedCatalogue> {
    return new EmbeddedCatalogue(engine, await engine.listIds());
  }

  target(upstream: string, model: string): LazyEmbeddedTarget | null {
    if (!this.models.includes(model)) return null;
    const known = this.targets.get(model);
    if (known !== undefined) return known;
    const target = new EmbeddedModelTarget(this.engine, upstream, model);
    this.targets.set(model, target);
    return target;
  }
}
