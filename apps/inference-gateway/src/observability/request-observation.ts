import { ChatCompletionRequestDto, fieldsOf } from '@hone/contracts';
import type { FastifyBaseLogger } from 'fastify';

import type { Exchange } from '../chat-completions/exchange.js';
import { GatewayError } from '../chat-completions/gateway-error.js';
import type { ParsedRequest } from '../chat-completions/parse-chat-request.js';
import type { ResolvedModel } from '../models/route-directory.js';
import type { AnswerOutcome } from '../routing/answer-sink.js';
import type { Target } from '../upstreams/target.js';
import type { AnswerWatch, AttemptWatch } from './answer-watch.js';
import type { ObservedRequest, RequestResult } from './observed-request.js';
import { activeTracer } from './tracing/active-tracer.js';
import { ChatSpan } from './tracing/chat-span.js';

/** What an observation needs of its surroundings. */
export interface ObservationTools {
  /** The prompt's text is traced too. */
  readonly isTextTraced: boolean;
  hashUser(user: string): string;
  /** @param log where the request is told of */
  ended(request: ObservedRequest, log: FastifyBaseLogger): void;
}

/** Follows one chat completion from its head to its end; what it learns is told once, when it has ended. */
export class RequestObservation implements AnswerWatch {
  private readonly startedAtMs = Date.now();
  private readonly startedMs = performance.now();
  private readonly tracer = activeTracer();
  private span: ChatSpan | null = null;
  private dto: ChatCompletionRequestDto | null = null;
  private unknownFields = 0;
  private project: string | null = null;
  private model: ResolvedModel | null = null;
  private outcome: AnswerOutcome | null = null;
  private error: unknown = null;

  constructor(
    private readonly exchange: Exchange,
    private readonly tools: ObservationTools,
  ) {}

  /** @param projectId `<entity>/<project>` that pays */
  authorized(projectId: string): void {
    this.project = projectId;
  }

  parsed({ dto, fields }: ParsedRequest): void {
    this.dto = dto;
    this.unknownFields = countUnknown(fields);
    this.beginSpan();
  }

  resolved(model: ResolvedModel): void {
    this.model = model;
  }

  attemptBegins(target: Target, number: number): AttemptWatch | null {
    return this.span?.attempt(target, number) ?? null;
  }

  answered(outcome: AnswerOutcome): void {
    this.outcome = outcome;
  }

  /** It was not answered by a target. */
  refused(error: unknown): void {
    this.error = error;
  }

  /** Whatever was sent has been sent. */
  end(): void {
    if (this.span === null) this.beginSpan();
    const request = this.observed();
    this.span?.end(request);
    this.tools.ended(request, this.exchange.origin.log);
  }

  private beginSpan(): void {
    if (this.tracer === null) return;
    const { startedAtMs, dto } = this;
    const traceparent = this.exchange.header('traceparent');
    this.span = new ChatSpan(this.tracer, { traceparent, startedAtMs, dto, isTextTraced: this.tools.isTextTraced });
  }

  private observed(): ObservedRequest {
    const { exchange, dto, model, outcome } = this;
    return {
      rid: exchange.rid,
      uid: exchange.uid,
      project: this.project,
      modelAsked: dto?.model ?? null,
      answerModel: model?.answerModel ?? null,
      route: routeLabel(model),
      isStream: dto?.stream === true,
      userHash: this.userHash(),
      unknownFields: this.unknownFields,
      status: exchange.response.headersSent ? exchange.response.statusCode : 0,
      result: this.result(),
      errorCode: outcome?.failure?.code ?? (this.error instanceof GatewayError ? this.error.code : null),
      outcome,
      durationMs: performance.now() - this.startedMs,
    };
  }

  private userHash(): string | null {
    const user = this.dto?.user ?? null;
    return user === null ? null : this.tools.hashUser(user);
  }

  private result(): RequestResult {
    if (this.outcome !== null) return this.outcome.status;
    return this.exchange.response.headersSent ? 'refused' : 'aborted';
  }
}

/** References of trained models are as many as there are checkpoints: they share one. */
function routeLabel(model: ResolvedModel | null): string {
  if (model === null) return 'none';
  return model.isTrained ? 'trained' : model.route.id;
}

let known: ReadonlySet<string> | null = null;

function countUnknown(fields: Readonly<Record<string, unknown>>): number {
  known ??= new Set(fieldsOf(ChatCompletionRequestDto).map(({ name }) => name));
  let count = 0;
  for (const name in fields) if (!known.has(name)) count++;
  return count;
}
