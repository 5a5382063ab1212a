import { type Capability } from '@hone/contracts';
import { EngineError } from '@hone/engine';

import type { Endpoint } from '../../shared/endpoint.js';
import {
  type AnswerReader,
  type Attempt,
  type ChatRequest,
  OWN,
  type PinnedModel,
  type Refusal,
  type RunningAttempt,
  type Target,
} from '../target.js';
import { GENERATES } from './embedded-target.js';
import { failedAttempt, toUnavailable } from './engine-failure.js';

/** A target whose model is loaded. */
export interface LoadedTarget extends Target {
  /** Whether the files of its model have changed since: its next request opens it again. */
  readonly isOutdated: boolean;
}

/** A target of the embedded engine that its first request opens. */
export class LazyTarget implements Target {
  readonly pinned?: PinnedModel;
  readonly owner = OWN;
  private opening: Promise<LoadedTarget> | null = null;
  private opened: LoadedTarget | null = null;

  /**
   * @param model id of the base model
   * @param load rejects with an error of the engine or of the artifact store
   */
  constructor(
    readonly upstream: string,
    readonly model: string,
    private readonly load: () => Promise<LoadedTarget>,
    readonly endpoints: ReadonlySet<Endpoint> = GENERATES,
  ) {}

  /** Null: unknown until it is open. */
  get contextLength(): number | null {
    return this.opened?.contextLength ?? null;
  }

  get capabilities(): ReadonlySet<Capability> | null {
    return this.opened?.capabilities ?? null;
  }

  /**
   * Loads the weights once (single-flight), and again when the files of the base model have changed; after a failure the
   * next call retries.
   *
   * @throws TargetUnavailableError
   */
  async open(): Promise<void> {
    if (this.opened !== null && !this.opened.isOutdated) return;
    this.opened = null;
    const opening = (this.opening ??= this.load());
    try {
      this.opened = await opening;
    } catch (error) {
      throw toUnavailable(error);
    } finally {
      if (this.opening === opening) this.opening = null;
    }
  }

  async check(request: ChatRequest): Promise<Refusal | null> {
    return (await this.opened?.check?.(request)) ?? null;
  }

  warnings(request: ChatRequest): readonly string[] {
    return this.opened?.warnings?.(request) ?? [];
  }

  async countTokens(request: ChatRequest): Promise<number | Refusal> {
    await this.open();
    return (this.opened as LoadedTarget).countTokens(request);
  }

  unsupported(request: ChatRequest): readonly string[] {
    return this.opened?.unsupported(request) ?? [];
  }

  dispatch(attempt: Attempt, reader: AnswerReader): RunningAttempt {
    if (this.opened !== null) return this.opened.dispatch(attempt, reader);
    return failedAttempt(new EngineError('engine.not_open', 'The model could not be opened.'), reader);
  }

  /** The next request opens it again. */
  protected reset(): void {
    this.opened = null;
  }
}
