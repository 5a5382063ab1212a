import { EngineError } from '@hone/engine';

import { failedAttempt } from '../embedded/failed-attempt.js';
import type { EmbeddedTarget } from '../embedded/index.js';
import type { AnswerReader, Attempt, Capability, ChatRequest, PinnedModel, RunningAttempt, Target } from '../upstreams/target.js';

const NOT_OPEN = 'The model could not be opened.';

/** A target of the embedded engine that is opened when the first request comes for it. */
export abstract class LazyEmbeddedTarget implements Target {
  readonly pinned?: PinnedModel;
  private opening: Promise<EmbeddedTarget> | null = null;
  private opened: EmbeddedTarget | null = null;

  /** @param model id of the base model */
  constructor(
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

  /** The target itself, opened once; what failed is tried again. @throws what {@link load} throws */
  async open(): Promise<EmbeddedTarget> {
    if (this.opened !== null) return this.opened;
    const opening = (this.opening ??= this.load());
    try {
      return (this.opened = await opening);
    } finally {
      if (this.opening === opening) this.opening = null;
    }
  }

  unsupported(request: ChatRequest): readonly string[] {
    return this.opened?.unsupported(request) ?? [];
  }

  dispatch(attempt: Attempt, reader: AnswerReader): RunningAttempt {
    // It could not be opened, and its route has others.
    if (this.opened === null) return failedAttempt(new EngineError('engine.not_open', NOT_OPEN), reader);
    return this.opened.dispatch(attempt, reader);
  }

  protected abstract load(): Promise<EmbeddedTarget>;

  /** The next request opens it again. */
  protected close(): void {
    this.opened = null;
  }
}
