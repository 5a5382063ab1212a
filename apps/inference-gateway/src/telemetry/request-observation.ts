import { ChatCompletionRequestDto, fieldsOf } from '@hone/contracts';
import type { FastifyBaseLogger } from 'fastify';

import type { AnswerObserver, AttemptObserver, AttemptTarget } from '../dispatch/answer/answer-observer.js';
import type { AnswerOutcome } from '../dispatch/answer/outcome.js';
import { GatewayError } from '../shared/errors/gateway-error.js';
import type { ObservedRequest, RequestResult } from './request/observed-request.js';
import { activeTracer } from './tracing/active-tracer.js';
import { ChatSpan } from './tracing/chat-span.js';

/** The observed parts of a request: its connection, and what is known of it so far. */
export interface ObservedChat {
  readonly exchange: {
    readonly rid: string;
    /** Idempotency key of the usage record. */
    readonly uid: string;
    readonly response: { readonly headersSent: boolean; readonly statusCode: number };
    readonly origin: { readonly log: FastifyBaseLogger };
    header(name: string): string | undefined;
  };
  /** The billed project, `<entity>/<project>`. */
  readonly project?: { readonly projectId: string };
  readonly parsed?: { readonly dto: ChatCompletionRequestDto; readonly fields: Readonly<Record<string, unknown>> };
  readonly model?: { readonly route: { readonly id: string }; readonly isTrained: boolean };
  readonly outcome?: AnswerOutcome;
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

  constructor(
    private readonly chat: ObservedChat,
    private readonly tools: ObservationTools,
  ) {}

  attemptBegins(target: AttemptTarget, number: number): AttemptObserver | null {
    return this.spanOfChat()?.attempt(target, number) ?? null;
  }

  /** The answer was sent, or the caller left. @param error why the gateway refused the request; null: it did not */
  end(error: unknown): void {
    const request = this.observed(error);
    this.spanOfChat()?.end(request);
    this.tools.ended(request, this.chat.exchange.origin.log);
  }

  private spanOfChat(): ChatSpan | null {
    if (this.tracer === null) return null;
    const { exchange, parsed } = this.chat;
    this.span ??= new ChatSpan(this.tracer, {
      traceparent: exchange.header('traceparent'),
      startedAtMs: this.startedAtMs,
      dto: parsed?.dto ?? null,
      isTextTraced: this.tools.isTextTraced,
    });
    return this.span;
  }

  private observed(error: unknown): ObservedRequest {
    const { exchange, project, parsed, outcome = null } = this.chat;
    const { headersSent, statusCode } = exchange.response;
    const user = parsed?.dto.user ?? null;
    const refusal: RequestResult = headersSent ? 'refused' : 'aborted';
    return {
      rid: exchange.rid,
      uid: exchange.uid,
      project: project?.projectId ?? null,
      modelAsked: parsed?.dto.model ?? null,
      route: routeLabel(this.chat),
      isStream: parsed?.dto.stream === true,
      userHash: user === null ? null : this.tools.hashUser(user),
      unknownFields: parsed ? countUnknown(parsed.fields) : 0,
      status: headersSent ? statusCode : 0,
      result: outcome?.status ?? refusal,
      errorCode: outcome?.failure?.code ?? (error instanceof GatewayError ? error.code : null),
      outcome,
      durationMs: performance.now() - this.startedMs,
    };
  }
}

/** Trained models share one label: their references are as many as there are checkpoints. */
function routeLabel({ model }: ObservedChat): string {
  if (!model) return 'none';
  return model.isTrained ? 'trained' : model.route.id;
}

let known: ReadonlySet<string> | null = null;

function countUnknown(fields: Readonly<Record<string, unknown>>): number {
  known ??= new Set(fieldsOf(ChatCompletionRequestDto).map(({ name }) => name));
  let count = 0;
  for (const name in fields) if (!known.has(name)) count++;
  return count;
}
