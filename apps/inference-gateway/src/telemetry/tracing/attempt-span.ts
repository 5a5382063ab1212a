import { type Context, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';

import type { AttemptFailure, AttemptObserver, AttemptTarget } from '../../dispatch/answer/answer-observer.js';
import type { AttemptRecord } from '../../dispatch/answer/outcome.js';
import { traceHeaders } from './trace-parent.js';

/** Span of one attempt: a child of the request's span, and the parent of the upstream's spans. */
export class AttemptSpan implements AttemptObserver {
  readonly headers: Readonly<Record<string, string>>;
  private readonly span: Span;

  constructor(tracer: Tracer, parent: Context, { upstream, model }: AttemptTarget, number: number) {
    const attributes = {
      'hone.target': `${upstream}/${model}`,
      'hone.attempt.number': number,
      'gen_ai.provider.name': upstream,
    };
    this.span = tracer.startSpan(`attempt ${upstream}/${model}`, { kind: SpanKind.CLIENT, attributes }, parent);
    this.headers = traceHeaders(this.span);
  }

  ended({ outcome }: AttemptRecord, failure: AttemptFailure | null): void {
    this.span.setAttribute('hone.attempt.outcome', outcome);
    if (failure !== null) {
      this.span.setAttribute('error.type', failure.reason);
      if (failure.upstreamStatus !== undefined) {
        this.span.setAttribute('http.response.status_code', failure.upstreamStatus);
      }
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}
