import { isJsonObject, JsonNumber, type JsonObject, type JsonValue, setKey } from '@hone/contracts';

/** Attributes of OpenTelemetry: name -> value. */
export type Attributes = ReadonlyMap<string, JsonValue>;

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

/** Spans of one library in one process. */
export interface SpanGroup {
  resource: Attributes;
  scope: { name: string; version: string; attributes: Attributes };
  /** Undefined: one that lacks its id or its trace's. */
  spans: (Span | undefined)[];
}

/** Status code of a span that failed. */
export const STATUS_ERROR = 2;

const HEX = { trace: /^(?!0{32})[0-9a-f]{32}$/, span: /^(?!0{16})[0-9a-f]{16}$/ };
const MAX_UINT64 = 2n ** 64n;

/**
 * The spans of an `ExportTraceServiceRequest` in OTLP's JSON form. What is missing or of another type counts as absent,
 * unknown fields are ignored: only a span without usable ids is refused.
 *
 * @param idEncoding of ids: hex in JSON, base64 in what was protobuf
 */
export function readSpans(request: JsonValue, idEncoding: 'hex' | 'base64'): SpanGroup[] {
  const idOf = (value: JsonValue | undefined, form: RegExp): string | null => {
    if (typeof value !== 'string') return null;
    const hex = idEncoding === 'hex' ? value.toLowerCase() : Buffer.from(value, 'base64').toString('hex');
    return form.test(hex) ? hex : null;
  };
  const span = (of: JsonObject): Span | undefined => {
    const [traceId, spanId] = [idOf(of['traceId'], HEX.trace), idOf(of['spanId'], HEX.span)];
    if (traceId === null || spanId === null) return undefined;
    const status = objectOf(of['status']);
    return {
      ...{ traceId, spanId, parentSpanId: idOf(of['parentSpanId'], HEX.span) },
      ...{ name: textOf(of['name']), kind: Number(bigOf(of['kind'])), traceState: textOf(of['traceState']) },
      ...{ startTimeUnixNano: bigOf(of['startTimeUnixNano']), endTimeUnixNano: bigOf(of['endTimeUnixNano']) },
      attributes: readAttributes(of['attributes']),
      events: listOf(of['events']).map((event) => ({
        name: textOf(event['name']),
        timeUnixNano: bigOf(event['timeUnixNano']),
        attributes: readAttributes(event['attributes']),
      })),
      links: listOf(of['links']).map((link) => ({
        traceId: idOf(link['traceId'], HEX.trace) ?? '',
        spanId: idOf(link['spanId'], HEX.span) ?? '',
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

function readAttributes(list: JsonValue | undefined): Attributes {
  const attributes = new Map<string, JsonValue>();
  for (const { key, value } of listOf(list)) attributes.set(textOf(key), readValue(value));
  return attributes;
}

/** An `AnyValue` as JSON. Integers of 64 bits keep all their digits. */
function readValue(value: JsonValue | undefined): JsonValue {
  const any = objectOf(value);
  const [kind] = Object.keys(any);
  const content = kind === undefined ? undefined : any[kind];
  if (content === undefined) return null;
  if (kind === 'intValue') return exactInteger(content);
  if (kind === 'arrayValue') return listOf(objectOf(content)['values'], false).map(readValue);
  if (kind !== 'kvlistValue') return content;
  const object: JsonObject = {};
  for (const [key, member] of readAttributes(objectOf(content)['values'])) setKey(object, key, member);
  return object;
}

function exactInteger(content: JsonValue): JsonValue {
  if (typeof content !== 'string' || !/^-?\d{1,19}$/.test(content)) return content;
  const number = Number(content);
  return String(number) === content ? number : new JsonNumber(content);
}

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

function listOf(value: JsonValue | undefined): JsonObject[];
function listOf(value: JsonValue | undefined, objectsOnly: false): JsonValue[];
function listOf(value: JsonValue | undefined, objectsOnly = true): JsonValue[] {
  if (!Array.isArray(value)) return [];
  return objectsOnly ? value.filter(isJsonObject) : value;
}

/** Whole numbers of 64 bits come as text or as a number; anything else counts as 0. */
function bigOf(value: JsonValue | undefined): bigint {
  const text = value instanceof JsonNumber ? value.lexeme : value;
  if (typeof text === 'number') return Number.isSafeInteger(text) && text > 0 ? BigInt(text) : 0n;
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text)) return 0n;
  const big = BigInt(text);
  return big < MAX_UINT64 ? big : 0n;
}
