import type { ChatCompletionRequestDto } from '@hone/contracts';
import { type Context, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';

import type { AttemptTarget } from '../../dispatch/answer/answer-observer.js';
import type { ObservedRequest } from '../request/observed-request.js';
import { AttemptSpan } from './attempt-span.js';
import { toInputMessages } from './input-messages.js';
import { answerAttributes, modelText, requestAttributes } from './span-attributes.js';
import { contextOf } from './trace-parent.js';

/** Facts of a request when its span begins. */
export interface ChatSpanStart {
  /** The caller's `traceparent`. */
  readonly traceparent: string | undefined;
  /** Arrival of the request; epoch milliseconds. */
  readonly startedAtMs: number;
  /** Null: the request was refused before its body was read. */
  readonly dto: ChatCompletionRequestDto | null;
  /** Spans include the text of the prompt. */
  readonly isTextTraced: boolean;
}

/** Span `chat <model>` of one request, from its headers to its end. */
export class ChatSpan {
  private readonly span: Span;
  private readonly context: Context;

  constructor(
    private readonly tracer: Tracer,
    { traceparent, startedAtMs, dto, isTextTraced }: ChatSpanStart,
  ) {
    const parent = contextOf(traceparent);
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'hone',
      ...(dto && requestAttributes(dto)),
    };
    const name = dto === null ? 'chat' : `chat ${modelText(dto.model)}`;
    this.span = tracer.startSpan(name, { kind: SpanKind.SERVER, startTime: startedAtMs, attributes }, parent);
    this.context = trace.setSpan(parent, this.span);
    if (dto !== null && isTextTraced && this.span.isRecording()) {
      this.span.setAttribute('gen_ai.input.messages', toInputMessages(dto.messages));
    }
  }

  attempt(target: AttemptTarget, number: number): AttemptSpan {
    return new AttemptSpan(this.tracer, this.context, target, number);
  }

  end(request: ObservedRequest): void {
    if (this.span.isRecording()) {
      this.span.setAttributes(answerAttributes(request));
      // A client error is no error of this service.
      const isOurs = request.result === 'failed' || request.status >= 500;
      if (isOurs) this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}
