import type { IncomingHttpHeaders } from 'node:http';

import type { Capability } from '@hone/contracts';
import type { Dispatcher } from 'undici';

import { CHAT, CHAT_ONLY, type Endpoint, isNative } from '../../shared/endpoint.js';
import { type Clock, SYSTEM_CLOCK } from '../../shared/time/clock.js';
import { IdleTimer } from '../../shared/time/idle-timer.js';
import type {
  AnswerReader,
  Attempt,
  ChatRequest,
  CompleteAnswer,
  PinnedModel,
  RunningAttempt,
  Target,
  TokenUsage,
} from '../target.js';
import type { TargetFailure } from '../target-failure.js';
import { toMessage } from './anthropic/to-message.js';
import { foreignFields } from './anthropic/unsupported-fields.js';
import type { BodyConsumer, ConsumerHost } from './body-consumer.js';
import { countByServer, countMessage } from './count-by-server.js';
import { BatchedAttempt } from './embeddings/batched-attempt.js';
import { EmbeddingAnswer } from './embeddings/embedding-answer.js';
import { type EmbeddingBatch, encodingOf, toBatches } from './embeddings/embedding-batches.js';
import { EmbeddingsConsumer } from './embeddings/embeddings-consumer.js';
import { redact } from './error/redact.js';
import { ErrorConsumer } from './error-consumer.js';
import type { HttpServer } from './http-server.js';
import { DEFAULT_MAX_BATCH, type HttpModel } from './http-settings.js';
import type { UpstreamKey } from './keys/key-pool.js';
import { attemptWithKeys } from './keys/keyed-attempt.js';
import { nativeConsumer } from './native/native-consumer.js';
import { ParameterRules } from './request/parameters.js';
import { type BodyRules, requestBody } from './request/request-body.js';
import { requestHeaders } from './request/request-headers.js';
import { unknownToolFields } from './request/tool-dialect.js';
import { AnswerStream } from './stream/answer-stream.js';
import { StreamConsumer } from './stream-consumer.js';
import { AnswerTokens } from './tokens/answer-tokens.js';
import { askedTokens } from './tokens/asked-tokens.js';
import { WholeConsumer } from './whole-consumer.js';

const JSON_TYPE = 'application/json';
const OVER = new Error('The rest of this answer is not needed.');

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

/** A running attempt over HTTP: one request to a server, and its response. */
class HttpAttempt implements Dispatcher.DispatchHandler, RunningAttempt, ConsumerHost {
  readonly limits: Attempt['limits'];
  private readonly timer: IdleTimer;
  private controller: Dispatcher.DispatchController | null = null;
  private consumer: BodyConsumer | null = null;
  /** The time limit of the first answer applies; bytes do not extend it. */
  private isFirst = true;
  private isOver = false;
  /** The body has ended: the connection is free for the next request. */
  private hasEnded = false;
  private isSending = false;

  constructor(
    private readonly server: HttpServer,
    private readonly attempt: Attempt,
    private readonly reader: AnswerReader,
    clock: Clock,
    /** The model's name at the upstream, and `model` of the answer; null: the upstream's own name. */
    private readonly model: { readonly upstream: string; readonly shown: string | null },
    /** Null: nobody keeps the answer's tokens. */
    private readonly tokens: AnswerTokens | null,
    /** What its body is a part of; absent: it is no request for embeddings. */
    private readonly embeddings: { readonly answer: EmbeddingAnswer; readonly count: number } | null = null,
  ) {
    this.limits = attempt.limits;
    this.timer = new IdleTimer(clock);
  }

  send(headers: string[], body: Buffer): void {
    const { ttftMs, responseMs } = this.limits;
    this.timer.start(this.attempt.request.isStream ? ttftMs : responseMs, () =>
      this.fail({ reason: 'silent', message: 'The upstream did not answer in time.' }),
    );
    this.isSending = true;
    this.server.post(this.attempt.request.endpoint, this.model.upstream, headers, body, this);
    this.isSending = false;
  }

  pause(): void {
    this.timer.pause();
    this.controller?.pause();
  }

  resume(): void {
    this.timer.resume();
    this.controller?.resume();
  }

  abort(): void {
    this.isOver = true;
    this.timer.stop();
    if (!this.hasEnded) this.controller?.abort(OVER);
  }

  produced(): TokenUsage {
    return this.consumer?.produced() ?? this.server.estimate.of(this.attempt.request.promptSize, 0);
  }

  get malformedFrames(): number {
    return this.consumer?.malformedFrames ?? 0;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // The attempt was aborted while it waited for a connection.
    if (this.isOver) controller.abort(OVER);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.controller = controller;
    if (status < 200 || this.isOver) return;
    if (status >= 300 && status < 400) {
      return this.fail({ reason: 'redirected', message: 'The upstream sent the request somewhere else.' });
    }
    if (status !== 200) this.consumer = new ErrorConsumer({ status, headers }, this.server.secrets, this);
    else this.consumer = this.consumerOf(headers['content-type'] ?? '');
    if (this.consumer === null) this.fail({ reason: 'invalid', message: 'The upstream sent no completion.' });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A server that sends more after the end of its answer is disconnected.
    if (this.isOver) return this.controller?.abort(OVER);
    const hasAdvanced = this.consumer?.onData(chunk) ?? false;
    if (hasAdvanced && !this.isFirst && !this.isOver) this.timer.touch();
  }

  onResponseEnd(): void {
    this.hasEnded = true;
    if (this.isOver) return this.timer.stop();
    this.consumer?.onEnd();
    this.timer.stop();
  }

  onResponseError(_controller: unknown, _error: Error): void {
    if (this.isOver) return this.timer.stop();
    const failure = this.lost();
    if (this.isSending) queueMicrotask(() => this.fail(failure));
    else this.fail(failure);
  }

  frames(bytes: Buffer, hasAnswer: boolean): void {
    if (!this.isOver) this.reader.onFrames(bytes, hasAnswer);
  }

  complete(answer: CompleteAnswer): void {
    if (this.isOver) return;
    this.isOver = true;
    if (answer.usage.source === 'upstream') this.server.estimate.learn(this.attempt.request.promptSize, answer.usage);
    // The connection is reused if the body ends within the grace time.
    if (!this.hasEnded) this.timer.start(this.limits.doneGraceMs, () => this.controller?.abort(OVER));
    this.reader.onComplete(answer);
  }

  fail(failure: TargetFailure): void {
    if (this.isOver) return;
    this.abort();
    this.reader.onFailure({ ...failure, message: redact(failure.message, this.server.secrets) });
  }

  expectWithin(ms: number, onSilence: () => void): void {
    this.isFirst = false;
    this.timer.start(ms, onSilence);
  }

  private lost(): TargetFailure {
    if (this.controller === null) return { reason: 'unreachable', message: 'The upstream cannot be reached.' };
    if (this.consumer === null) return { reason: 'reset', message: 'The upstream closed the connection.' };
    return { reason: 'interrupted', message: 'The upstream broke off its answer.' };
  }

  /** Null: a response of this type is no completion. */
  private consumerOf(contentType: string): BodyConsumer | null {
    const { request } = this.attempt;
    const type = contentType === JSON_TYPE ? JSON_TYPE : (contentType.toLowerCase().split(';', 1)[0] ?? '');
    const isJson = type === JSON_TYPE || type.endsWith('+json');
    const names = {
      id: `${request.endpoint === 'completions' ? 'cmpl' : 'chatcmpl'}-${request.rid}`,
      model: this.model.shown,
    };
    const estimate = (tokens: number) => this.server.estimate.of(this.attempt.request.promptSize, tokens);
    if (this.embeddings !== null) {
      const { answer, count } = this.embeddings;
      return isJson ? new EmbeddingsConsumer(answer, count, this, () => estimate(0)) : null;
    }
    if (isNative(request.endpoint)) {
      return nativeConsumer({ request, endpoint: request.endpoint, model: this.model.upstream }, type, this, estimate);
    }
    if (isJson || (!request.isStream && type === ''))
      return new WholeConsumer(request, names, this, estimate, this.tokens);
    if (!request.isStream || (type !== '' && type !== 'text/event-stream')) return null;
    const { choices, wantsUsageFrame } = request;
    const { hasTokenFrames } = this.server.settings;
    const { tokens } = this;
    const model = this.model.upstream;
    const usage = { wantsUsageFrame, wantsContinuousUsage: wantsContinuousUsage(request) };
    const stream = new AnswerStream({ names, model, choices, ...usage, hasTokenFrames, tokens });
    return new StreamConsumer(stream, this, estimate, tokens);
  }
}

const wantsContinuousUsage = ({ fields }: Attempt['request']): boolean =>
  (fields.stream_options as { continuous_usage_stats?: unknown } | null | undefined)?.continuous_usage_stats === true;
