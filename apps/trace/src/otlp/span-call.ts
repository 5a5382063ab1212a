import {
  type CallEndFieldsDto,
  type CallStartFieldsDto,
  type JsonObject,
  type JsonValue,
  setKey,
  toStorableText,
} from '@hone/contracts';

import { type Attributes, type Span, type SpanGroup, STATUS_ERROR } from './otlp-spans.js';
import { AttributeReader, nested } from './vocabulary/attribute-reader.js';
import { readContent } from './vocabulary/span-content.js';

const NS_PER_MS = 1_000_000n;
const MAX_ID = 128;
const MAX_OP_NAME = 512;
const MAX_DISPLAY_NAME = 1_024;
/** Names of a conversation; of OpenLLMetry's, those that it lets a program set. */
const THREADS = [
  ...['gen_ai.conversation.id', 'session.id', 'hone.thread_id', 'wandb.thread_id', 'langfuse.session.id'],
  ...['traceloop.association.properties.session_id', 'mlflow.trace.session', 'ai.telemetry.metadata.sessionId'],
];
const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

/** Both halves of the call that a span is. */
export interface SpanCall {
  id: string;
  start: CallStartFieldsDto & { trace_id: string };
  /** Null: the span has not ended. */
  end: CallEndFieldsDto | null;
}

/**
 * The call that a span is: same id, same trace, so that a span that is sent again replaces itself. Nothing is dropped:
 * what is no input, output, or id stays in the attributes, as objects of their dotted names; what belongs to the span
 * itself, with its exact times in nanoseconds, under `otel`.
 */
export function toCall(span: Span, group: SpanGroup): SpanCall {
  const attributes = new AttributeReader(span.attributes);
  const { inputs, output, usage } = readContent(span, attributes);
  const thread = attributes.text(...THREADS);
  const turn = attributes.text('hone.turn_id', 'wandb.turn_id');
  const shown = attributes.text('hone.display_name', 'wandb.display_name', 'logfire.msg');
  const rest = attributes.rest();
  setKey(rest, 'otel', spanPart(span, group));
  return {
    id: span.spanId,
    start: {
      op_name: typed(span.name, MAX_OP_NAME) || 'span',
      display_name: shown && typed(shown, MAX_DISPLAY_NAME),
      trace_id: span.traceId,
      parent_id: span.parentSpanId,
      thread_id: thread && typed(thread, MAX_ID),
      turn_id: turn && typed(turn, MAX_ID),
      started_at: timeOf(span.startTimeUnixNano || span.endTimeUnixNano),
      attributes: rest,
      inputs,
    },
    end:
      span.endTimeUnixNano === 0n
        ? null
        : {
            ended_at: timeOf(span.endTimeUnixNano),
            exception: exceptionOf(span, attributes),
            output,
            summary: usage ? { usage } : {},
          },
  };
}

function spanPart(span: Span, { resource, scope }: SpanGroup): JsonObject {
  return {
    name: span.name,
    kind: KINDS[span.kind] ?? 'unspecified',
    start_time_unix_nano: String(span.startTimeUnixNano),
    end_time_unix_nano: String(span.endTimeUnixNano),
    ...(span.traceState && { trace_state: span.traceState }),
    status: { code: span.status.code, message: span.status.message },
    scope: { name: scope.name, version: scope.version, attributes: nested(scope.attributes) },
    resource: nested(resource),
    ...(span.events.length > 0 && {
      events: span.events.map(({ name, timeUnixNano, attributes }) => ({
        ...{ name, time_unix_nano: String(timeUnixNano), attributes: flat(attributes) },
      })),
    }),
    ...(span.links.length > 0 && {
      links: span.links.map(({ traceId, spanId, attributes }) => ({
        ...{ trace_id: traceId, span_id: spanId, attributes: flat(attributes) },
      })),
    }),
  };
}

/** What an `exception` event says, else the status; null: the span did not fail. */
function exceptionOf({ status, events }: Span, attributes: AttributeReader): string | null {
  if (status.code !== STATUS_ERROR)
    return attributes.text('langfuse.observation.level') === 'ERROR'
      ? toStorableText(attributes.text('langfuse.observation.status_message') ?? 'error')
      : null;
  const thrown = events.findLast(({ name }) => name === 'exception')?.attributes;
  const [type, message] = [thrown?.get('exception.type'), thrown?.get('exception.message')];
  const text = [type, message].filter((part) => typeof part === 'string' && part !== '').join(': ');
  return toStorableText(text || status.message || 'error');
}

/** ISO 8601 of nanoseconds since 1970; columns of calls hold milliseconds. */
const timeOf = (unixNano: bigint): string => new Date(Number(unixNano / NS_PER_MS)).toISOString();

/** A text as a typed column takes it: cut at its limit of characters. */
function typed(text: string, limit: number): string {
  const clean = toStorableText(text);
  return clean.length <= limit ? clean : [...clean.slice(0, 2 * limit)].slice(0, limit).join('');
}

function flat(attributes: Attributes): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of attributes) setKey(object, name, value as JsonValue);
  return object;
}
