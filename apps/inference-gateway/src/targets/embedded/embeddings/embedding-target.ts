import type { Capability } from '@hone/contracts';
import { EngineError } from '@hone/engine';

import type { Endpoint } from '../../../shared/endpoint.js';
import {
  type AnswerReader,
  type Attempt,
  type ChatRequest,
  OWN,
  type Refusal,
  type RunningAttempt,
} from '../../target.js';
import type { LoadedTarget } from '../lazy-target.js';
import { RefusedRequest } from '../request/request-issue.js';
import type { EmbeddedEmbedder } from './embedded-embedder.js';
import { EmbeddingAttempt } from './embedding-attempt.js';
import { type PreparedEmbeddings, prepareEmbeddings } from './embedding-request.js';

/** What an embedding model answers. */
export const EMBEDS: ReadonlySet<Endpoint> = new Set(['embeddings']);

/** An embedding model of the embedded engine as a target of the gateway. */
export class EmbeddingTarget implements LoadedTarget {
  readonly model: string;
  readonly owner = OWN;
  readonly endpoints = EMBEDS;
  readonly contextLength: number;
  readonly capabilities: ReadonlySet<Capability> = new Set();
  /** A request is encoded once for its check and all its attempts. */
  private readonly prepared = new WeakMap<ChatRequest, Promise<PreparedEmbeddings>>();

  constructor(
    private readonly embedder: EmbeddedEmbedder,
    readonly upstream: string,
  ) {
    this.model = embedder.id;
    this.contextLength = embedder.model.info.maxTokens;
  }

  get isOutdated(): boolean {
    return this.embedder.isOutdated;
  }

  unsupported(): readonly string[] {
    return [];
  }

  /** Encodes the inputs, in the engine's thread, before limits are reserved. */
  async check(request: ChatRequest): Promise<Refusal | null> {
    try {
      const prepared = await this.orRefusal(request);
      return 'rows' in prepared ? null : prepared;
    } catch (error) {
      // The attempt reports what has become of the engine.
      if (error instanceof EngineError) return null;
      throw error;
    }
  }

  async countTokens(request: ChatRequest): Promise<number | Refusal> {
    const prepared = await this.orRefusal(request);
    return 'rows' in prepared ? prepared.rows.reduce((sum, { length }) => sum + length, 0) : prepared;
  }

  dispatch({ request }: Attempt, reader: AnswerReader): RunningAttempt {
    return new EmbeddingAttempt(this.embedder, this.prepare(request), reader);
  }

  private async orRefusal(request: ChatRequest): Promise<PreparedEmbeddings | Refusal> {
    try {
      return await this.prepare(request);
    } catch (error) {
      if (error instanceof RefusedRequest) return error.refusal;
      throw error;
    }
  }

  private prepare(request: ChatRequest): Promise<PreparedEmbeddings> {
    const known = this.prepared.get(request);
    if (known !== undefined) return known;
    const preparing = prepareEmbeddings(request, this.embedder);
    this.prepared.set(request, preparing);
    // An attempt that repeats the request encodes it again.
    preparing.catch(() => this.prepared.delete(request));
    return preparing;
  }
}
