import { ChatCompletionRequestDto, fieldsOf } from '@hone/contracts';
import type { FastifyBaseLogger } from 'fastify';

import type { AnswerObserver, AttemptObserver, AttemptTarget } from '../dispatch/answer/answer-observer.js';
import type { AnswerOutcome } from '../dispatch/answer/outcome.js';
import { GatewayError } from '../shared/errors/gateway-error.js';
import type { ObservedRequest, RequestResult } from './request/observed-request.js';
import { activeTracer } from './tracing/active-tracer.js';
import { ChatSpan } from './tracing/chat-span.js';

/** The observed parts of a request and its connection. */
export interface ObservedExchange {
  readonly rid: string;
  /** Idempotency key of the usage record. */
  readonly uid: string;
  readonly response: { readonly headersSent: boolean; readonly statusCode: number };
  readonly origin: { readonly log: FastifyBaseLogger };
  header(name: string): string | undefined;
}

/** The model that a request resolved to. */
export interface ObservedModel {
  readonly route: { readonly id: string };
  readonly isTrained: boolean;
}

/** Receiver of an observation. */
export interface ObservationTools {
  /** Spans include the text of the prompt. */
  readonly isTextTraced: boolean;
  hashUser(user: string): string;
  /** The request has ended. @param log logger of the request */
  ended(request: ObservedRequest, log: FastifyBaseLogger): void;
}

/** Observes one chat completion from its head to its end, and reports it once, when it has ended. */
export class RequestObservation implements AnswerObserver {
  private readonly startedAtMs = Date.now();
  private readonly startedMs = performance.now();
  private readonly tracer = activeTracer();
  private span: ChatSpan | null = null;
  private dto: ChatCompletionRequestDto | null = null;
  private unknownFields = 0;
  private project: string | null = null;
  private model: ObservedModel | null = null;
  private outcome: AnswerOutcome | null = null;
  private error: unknown = null;

  constructor(
    private readonly exchange: ObservedExchange,
    private readonly tools: ObservationTools,
  ) {}

  /** @param projectId the billed project, `<entity>/<project>` */
  authorized(projectId: string): void {
    this.project = projectId;
  }

  /** @param fields the body as it was sent, unknown fields included */
  parsed(dto: ChatCompletionRequestDto, fields: Readonly<Record<string, unknown>>): void {
    this.dto = dto;
    this.unknownFields = countUnknown(fields);
    this.beginSpan();
  }

  resolved(model: ObservedModel): void {
    this.model = model;
  }

  attemptBegins(target: AttemptTarget, number: number): AttemptObserver | null {
    return this.span?.attempt(target, number) ?? null;
  }

  answered(outcome: AnswerOutcome): void {
    this.outcome = outcome;
  }

  /** The gateway refused the request before a target answered. */
  refused(error: unknown): void {
    this.error = error;
  }

  /** The answer was sent, or the caller left. */
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

/** Trained models share one label: their references are as many as there are checkpoints. */
function routeLabel(model: ObservedModel | null): string {
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
