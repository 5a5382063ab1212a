import type { IncomingHttpHeaders } from 'node:http';

import type { Dispatcher } from 'undici';

import { isNative } from '../../shared/endpoint.js';
import type { Clock } from '../../shared/time/clock.js';
import { IdleTimer } from '../../shared/time/idle-timer.js';
import type { AnswerReader, Attempt, CompleteAnswer, RunningAttempt, TokenUsage } from '../target.js';
import type { TargetFailure } from '../target-failure.js';
import type { BodyConsumer, ConsumerHost } from './body-consumer.js';
import type { EmbeddingAnswer } from './embeddings/embedding-answer.js';
import { EmbeddingsConsumer } from './embeddings/embeddings-consumer.js';
import { redact } from './error/redact.js';
import { ErrorConsumer } from './error-consumer.js';
import type { HttpServer } from './http-server.js';
import { mediaConsumer } from './media/media-consumer.js';
import { nativeConsumer } from './native/native-consumer.js';
import { AnswerStream } from './stream/answer-stream.js';
import { StreamConsumer } from './stream-consumer.js';
import type { AnswerTokens } from './tokens/answer-tokens.js';
import { WholeConsumer } from './whole-consumer.js';

const JSON_TYPE = 'application/json';
const OVER = new Error('The rest of this answer is not needed.');

/** A running attempt over HTTP: one request to a server, and its response. */
export class HttpAttempt implements Dispatcher.DispatchHandler, RunningAttempt, ConsumerHost {
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
    if (this.consumer === null) {
      const wanted = this.attempt.request.media === undefined ? 'completion' : 'answer of the kind that was asked for';
      this.fail({ reason: 'invalid', message: `The upstream sent no ${wanted}.` });
    }
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

  frames(bytes: Buffer, hasAnswer: boolean, contentType?: string): void {
    if (!this.isOver) this.reader.onFrames(bytes, hasAnswer, contentType);
  }

  complete(answer: CompleteAnswer): void {
    if (this.isOver) return;
    this.isOver = true;
    const { promptSize, media } = this.attempt.request;
    // Tokens of images and audio say nothing of those of texts.
    if (answer.usage.source === 'upstream' && media === undefined) this.server.estimate.learn(promptSize, answer.usage);
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
    if (request.media !== undefined) {
      return mediaConsumer({ request, media: request.media, contentType }, this, () => estimate(0));
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
