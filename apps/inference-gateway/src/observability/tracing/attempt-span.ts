import { type Context, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';

import type { AttemptRecord } from '../../routing/answer-sink.js';
import type { Target } from '../../upstreams/target.js';
import type { TargetFailure } from '../../upstreams/target-failure.js';
import type { AttemptWatch } from '../answer-watch.js';
import { traceParentOf } from './trace-parent.js';

/** One try of a target, as a span below the request's; what the upstream traces stands below it in turn. */
export class AttemptSpan implements AttemptWatch {
  readonly headers: Readonly<Record<string, string>>;
  private readonly span: Span;

  constructor(tracer: Tracer, parent: Context, { upstream, model }: Target, number: number) {
    const attributes = {
      'hone.target': `${upstream}/${model}`,
      'hone.attempt.number': number,
      'gen_ai.provider.name': upstream,
    };
    this.span = tracer.startSpan(`attempt ${upstream}/${model}`, { kind: SpanKind.CLIENT, attributes }, parent);
    this.headers = { traceparent: traceParentOf(this.span.spanContext()) };
  }

  ended({ outcome }: AttemptRecord, failure: TargetFailure | null): void {
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
