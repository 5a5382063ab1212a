import type { Capability } from '@hone/contracts';

import type { Endpoint } from '../../shared/endpoint.js';
import type { HttpTarget } from '../http/http-target.js';
import type { AnswerReader, Attempt, ChatRequest, PinnedModel, RunningAttempt, Target, TokenUsage } from '../target.js';
import { TargetUnavailableError } from '../target-failure.js';
import { AdapterError } from './adapter.errors.js';
import type { Adapter } from './adapter.js';
import { AdapterAttempt } from './adapter-attempt.js';
import type { AdapterPool } from './adapter-pool.js';

/** A trained model at one step, as an adapter of a vLLM server. It is loaded by the first request that goes there. */
export class AdapterTarget implements Target {
  readonly upstream: string;
  readonly owner: string;
  /** The base model: adapters share one name in metrics. */
  readonly model: string;
  readonly contextLength: number | null;
  readonly endpoints: ReadonlySet<Endpoint>;
  readonly capabilities: ReadonlySet<Capability> | null;

  /**
   * @param target of the adapter's name at the server
   * @param nothing usage of an attempt that was not sent
   */
  constructor(
    private readonly target: HttpTarget,
    readonly pinned: PinnedModel,
    private readonly adapter: Adapter,
    private readonly pool: AdapterPool,
    private readonly nothing: (request: ChatRequest) => TokenUsage,
  ) {
    this.upstream = target.upstream;
    this.owner = target.owner;
    this.model = adapter.base;
    this.contextLength = target.contextLength;
    this.endpoints = target.endpoints;
    this.capabilities = target.capabilities;
  }

  get isReady(): boolean {
    return this.pool.isReady(this.adapter.name);
  }

  unsupported(request: ChatRequest): readonly string[] {
    return this.target.unsupported(request);
  }

  /** @throws TargetUnavailableError */
  async preload(): Promise<void> {
    try {
      (await this.pool.use(this.adapter)).leave();
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error;
      throw new TargetUnavailableError(error.failure.reason === 'corrupt' ? 'damaged' : 'transient', error);
    }
  }

  /** Estimated: the server knows an adapter by name only while it has loaded it. */
  async countTokens(request: ChatRequest): Promise<number> {
    return this.nothing(request).promptTokens;
  }

  dispatch(attempt: Attempt, reader: AnswerReader): RunningAttempt {
    const { adapter, pool, target, nothing } = this;
    const send = (inner: AnswerReader) => target.dispatch(attempt, inner);
    const running = new AdapterAttempt({ adapter, pool, send, nothing: () => nothing(attempt.request) }, reader);
    running.start();
    return running;
  }
}
