import type { EmbeddedTarget } from '../embedded/index.js';
import { EmbeddedModels } from '../embedded/index.js';
import type { EmbeddedTargets } from '../routing/route-table.js';
import type { AnswerReader, Attempt, Capability, ChatRequest, RunningAttempt, Target } from '../upstreams/target.js';

/** A model of the embedded engine that is opened when the first request comes for it. */
export class EmbeddedModelTarget implements Target {
  private opened: EmbeddedTarget | null = null;

  constructor(
    private readonly models: EmbeddedModels,
    readonly upstream: string,
    readonly model: string,
  ) {}

  /** Unknown until it is open. */
  get contextLength(): number | null {
    return this.opened?.contextLength ?? null;
  }

  get capabilities(): ReadonlySet<Capability> | null {
    return this.opened?.capabilities ?? null;
  }

  /** The target itself, opened once. @throws EngineError the model cannot be served */
  async open(): Promise<EmbeddedTarget> {
    this.opened ??= await this.models.target(this.model);
    return this.opened;
  }

  unsupported(request: ChatRequest): readonly string[] {
    return this.opened?.unsupported(request) ?? [];
  }

  dispatch(attempt: Attempt, reader: AnswerReader): RunningAttempt {
    if (this.opened === null) throw new Error(`${this.model} was asked before it was open.`);
    return this.opened.dispatch(attempt, reader);
  }
}

/** The embedded engine's models as the route table takes them: one target each, for as long as the process lives. */
export class EmbeddedCatalogue implements EmbeddedTargets {
  private readonly targets = new Map<string, EmbeddedModelTarget>();

  private constructor(
    private readonly engine: EmbeddedModels,
    readonly models: readonly string[],
  ) {}

  static async open(engine: EmbeddedModels): Promise<EmbeddedCatalogue> {
    return new EmbeddedCatalogue(engine, await engine.listIds());
  }

  target(upstream: string, model: string): EmbeddedModelTarget | null {
    if (!this.models.includes(model)) return null;
    const known = this.targets.get(model);
    if (known !== undefined) return known;
    const target = new EmbeddedModelTarget(this.engine, upstream, model);
    this.targets.set(model, target);
    return target;
  }
}
