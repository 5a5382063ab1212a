import { type Context, isSpanContextValid, ROOT_CONTEXT, type SpanContext, trace } from '@opentelemetry/api';

const VERSION_00 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** Later versions begin like the first one, and may go on. */
const LATER_VERSION = /^(?!00|ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** The context of a W3C `traceparent` header; one that is absent or wrong begins a new trace. */
export function contextOf(traceparent: string | undefined): Context {
  const match = VERSION_00.exec(traceparent ?? '') ?? LATER_VERSION.exec(traceparent ?? '');
  if (match === null) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = '0'] = match;
  const parent: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

export function traceParentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
