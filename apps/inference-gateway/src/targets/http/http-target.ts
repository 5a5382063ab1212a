import type { Capability } from '@hone/contracts';

import { CHAT, CHAT_ONLY, type Endpoint, isNative } from '../../shared/endpoint.js';
import { type Clock, SYSTEM_CLOCK } from '../../shared/time/clock.js';
import type { AnswerReader, Attempt, ChatRequest, PinnedModel, RunningAttempt, Target } from '../target.js';
import { toMessage } from './anthropic/to-message.js';
import { foreignFields } from './anthropic/unsupported-fields.js';
import { countByServer, countMessage } from './count-by-server.js';
import { BatchedAttempt } from './embeddings/batched-attempt.js';
import { EmbeddingAnswer } from './embeddings/embedding-answer.js';
import { type EmbeddingBatch, encodingOf, toBatches } from './embeddings/embedding-batches.js';
import { HttpAttempt } from './http-attempt.js';
import type { HttpServer } from './http-server.js';
import { DEFAULT_MAX_BATCH, type HttpModel } from './http-settings.js';
import type { UpstreamKey } from './keys/key-pool.js';
import { attemptWithKeys } from './keys/keyed-attempt.js';
import { ParameterRules } from './request/parameters.js';
import { type BodyRules, requestBody } from './request/request-body.js';
import { requestHeaders } from './request/request-headers.js';
import { unknownToolFields } from './request/tool-dialect.js';
import { AnswerTokens } from './tokens/answer-tokens.js';
import { askedTokens } from './tokens/asked-tokens.js';

/** A model at a server with an OpenAI-compatible API. */
export class HttpTarget implements Target {
  readonly upstream: string;
  readonly owner: string;
  readonly model: string;
  readonly contextLength: number | null;
  readonly endpoints: ReadonlySet<Endpoint>;
  readonly capabilities: ReadonlySet<Capability> | null;
  readonly readsImages: boolean;
  readonly maxChoices?: 1;
  private readonly maxBatch: number;
  private readonly rules: BodyRules;

  constructor(
    private readonly server: HttpServer,
    {
      name,
      endpoints = CHAT_ONLY,
      maxBatch = DEFAULT_MAX_BATCH,
      contextLength,
      capabilities,
      readsImages = false,
      maxChoices,
    }: HttpModel,
    private readonly clock: Clock = SYSTEM_CLOCK,
    /** A trained model that answers under this name; absent: the model itself. */
    readonly pinned?: PinnedModel,
  ) {
    const { dialect, usage, parameters } = server.settings;
    this.upstream = server.settings.name;
    this.owner = server.settings.name;
    this.model = name;
    this.contextLength = contextLength;
    // The tokens of trained models are kept, and only their chat completions show them.
    this.endpoints =
      pinned === undefined ? endpoints : new Set([...endpoints].filter((endpoint) => !isNative(endpoint)));
    this.maxBatch = maxBatch;
    this.capabilities = capabilities;
    this.readsImages = readsImages;
    if (maxChoices !== undefined) this.maxChoices = maxChoices;
    this.rules = { model: name, dialect, usage, parameters: new ParameterRules(parameters) };
  }

  /** Of chats; what a server honours of other requests is not known. */
  unsupported({ fields, endpoint }: ChatRequest): readonly string[] {
    if (endpoint !== CHAT) return [];
    const { parameters, dialect } = this.rules;
    // `n` is not sent to a target with one choice.
    const { unsupported } = parameters.fit(this.maxChoices === 1 ? { ...fields, n: 1 } : fields);
    const unknown = dialect === 'anthropic' ? foreignFields(fields) : unknownToolFields(dialect, fields);
    return unknown.length === 0 ? unsupported : [...new Set([...unsupported, ...unknown])];
  }

  async countTokens(request: ChatRequest): Promise<number> {
    const counted = await this.countByServer(request);
    return counted ?? this.server.estimate.of(request.promptSize, 0).promptTokens;
  }

  private async countByServer(asked: ChatRequest): Promise<number | null> {
    const request = this.toSpoken(asked);
    if (request.endpoint === 'messages') return countMessage(this.server, requestBody(request, this.rules), request);
    return this.rules.dialect === 'vllm' ? countByServer(this.server, this.model, request) : null;
  }

  dispatch(attempt: Attempt, reader: AnswerReader): RunningAttempt {
    return attempt.request.endpoint === 'embeddings' ? this.embed(attempt, reader) : this.generate(attempt, reader);
  }

  private embed(attempt: Attempt, reader: AnswerReader): RunningAttempt {
    const answer = new EmbeddingAnswer(this.model, encodingOf(attempt.request));
    const batches = toBatches(attempt.request, this.maxBatch);
    const send = (part: number, partReader: AnswerReader) => {
      const { request, count } = batches[part] as EmbeddingBatch;
      const names = { upstream: this.model, shown: null };
      const embeddings = { answer, count };
      const begin = (own: AnswerReader) =>
        new HttpAttempt(this.server, { ...attempt, request }, own, this.clock, names, null, embeddings);
      return this.post(attempt, requestBody(request, this.rules), begin, partReader);
    };
    return batches.length === 1 ? send(0, reader) : new BatchedAttempt(batches.length, send, reader);
  }

  private generate(attempt: Attempt, reader: AnswerReader): RunningAttempt {
    const request = this.toSpoken(attempt.request);
    const asked = this.pinned === undefined ? null : askedTokens(request, this.rules.parameters);
    const body = requestBody(request, this.rules, asked?.fields);
    const names = { upstream: this.model, shown: this.pinned?.name ?? null };
    const spoken = { ...attempt, request };
    const begin = (own: AnswerReader) => {
      const tokens = asked && new AnswerTokens(asked, request.choices);
      return new HttpAttempt(this.server, spoken, own, this.clock, names, tokens);
    };
    return this.post(spoken, body, begin, reader);
  }

  /** Sends a body with the upstream's keys in turn. */
  private post(
    attempt: Attempt,
    body: Buffer,
    begin: (reader: AnswerReader) => HttpAttempt,
    reader: AnswerReader,
  ): RunningAttempt {
    const { server } = this;
    const send = (key: UpstreamKey | null, own: AnswerReader) => {
      const running = begin(own);
      running.send(requestHeaders(attempt, server.keyHeaders(key)), body);
      return running;
    };
    return attemptWithKeys(server.keys, this.upstream, send, reader);
  }

  /** The request in a form that the server speaks: Anthropic's has no chat completions. */
  private toSpoken(request: ChatRequest): ChatRequest {
    if (this.rules.dialect !== 'anthropic' || request.endpoint !== CHAT) return request;
    const fields = toMessage(request.fields, this.model);
    return { ...request, endpoint: 'messages', fields, body: Buffer.from(JSON.stringify(fields)), answersAs: CHAT };
  }
}
