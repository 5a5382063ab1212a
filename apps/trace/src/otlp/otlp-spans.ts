import type { JsonObject, JsonValue } from '@hone/contracts';

import {
  type Attributes,
  bigOf,
  HEX,
  type IdEncoding,
  idOf,
  listOf,
  objectOf,
  readAttributes,
  textOf,
} from './otlp-values.js';

/** Something that happened during a span. */
export interface SpanEvent {
  name: string;
  /** Nanoseconds since 1970. */
  timeUnixNano: bigint;
  attributes: Attributes;
}

/** A span as it was sent. */
export interface Span {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** 16 hexadecimal digits; null: the span is the root of its trace. */
  parentSpanId: string | null;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer; 0: not said. */
  kind: number;
  /** Nanoseconds since 1970. */
  startTimeUnixNano: bigint;
  /** Nanoseconds since 1970; 0: the span has not ended. */
  endTimeUnixNano: bigint;
  attributes: Attributes;
  events: SpanEvent[];
  links: { traceId: string; spanId: string; attributes: Attributes }[];
  status: { code: number; message: string };
  traceState: string;
}

export type { Attributes } from './otlp-values.js';

/** Spans of one library in one process. */
export interface SpanGroup {
  resource: Attributes;
  scope: { name: string; version: string; attributes: Attributes };
  /** Undefined: one that lacks its id or its trace's. */
  spans: (Span | undefined)[];
}

/** Status code of a span that failed. */
export const STATUS_ERROR = 2;

/**
 * The spans of an `ExportTraceServiceRequest` in OTLP's JSON form. What is missing or of another type counts as absent,
 * unknown fields are ignored: only a span without usable ids is refused.
 *
 * @param idEncoding of ids: hex in JSON, base64 in what was protobuf
 */
export function readSpans(request: JsonValue, idEncoding: IdEncoding): SpanGroup[] {
  const span = (of: JsonObject): Span | undefined => {
    const [traceId, spanId] = [idOf(of['traceId'], HEX.trace, idEncoding), idOf(of['spanId'], HEX.span, idEncoding)];
    if (traceId === null || spanId === null) return undefined;
    const status = objectOf(of['status']);
    return {
      ...{ traceId, spanId, parentSpanId: idOf(of['parentSpanId'], HEX.span, idEncoding) },
      ...{ name: textOf(of['name']), kind: Number(bigOf(of['kind'])), traceState: textOf(of['traceState']) },
      ...{ startTimeUnixNano: bigOf(of['startTimeUnixNano']), endTimeUnixNano: bigOf(of['endTimeUnixNano']) },
      attributes: readAttributes(of['attributes']),
      events: listOf(of['events']).map((event) => ({
        name: textOf(event['name']),
        timeUnixNano: bigOf(event['timeUnixNano']),
        attributes: readAttributes(event['attributes']),
      })),
      links: listOf(of['links']).map((link) => ({
        traceId: idOf(link['traceId'], HEX.trace, idEncoding) ?? '',
        spanId: idOf(link['spanId'], HEX.span, idEncoding) ?? '',
        attributes: readAttributes(link['attributes']),
      })),
      status: {
        code: status['code'] === 'STATUS_CODE_ERROR' ? STATUS_ERROR : Number(bigOf(status['code'])),
        message: textOf(status['message']),
      },
    };
  };
  return listOf(objectOf(request)['resourceSpans']).flatMap((group) => {
    const resource = readAttributes(objectOf(group['resource'])['attributes']);
    return listOf(group['scopeSpans']).map((scoped) => {
      const scope = objectOf(scoped['scope']);
      return {
        resource,
        scope: {
          ...{ name: textOf(scope['name']), version: textOf(scope['version']) },
          attributes: readAttributes(scope['attributes']),
        },
        spans: listOf(scoped['spans']).map(span),
      };
    });
  });
}
