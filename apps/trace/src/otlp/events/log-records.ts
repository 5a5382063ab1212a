import { isJsonObject, type JsonObject, type JsonValue, setKey } from '@hone/contracts';

import {
  type Attributes,
  bigOf,
  HEX,
  type IdEncoding,
  idOf,
  listOf,
  objectOf,
  readAttributes,
  readValue,
  textOf,
} from '../otlp-values.js';

/** Names of the events that say what a model was asked and answered. */
const GEN_AI = 'gen_ai.';
const MAX_INT64 = 2n ** 63n - 1n;

/** An event of a span that came as a log record. */
export interface LogEvent {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** Nanoseconds since 1970. */
  timeUnixNano: bigint;
  name: string;
  /** Its attributes and the members of its body. */
  content: JsonObject;
}

/** An event of a span as it is stored. */
export interface SentEvent extends Omit<LogEvent, 'content'> {
  readonly projectId: string;
  /** JSON text. */
  readonly content: string;
}

/** Events of one process. */
export interface LogGroup {
  resource: Attributes;
  /** Undefined: one that lacks its span. */
  events: (LogEvent | undefined)[];
}

/** Events of generative AI in an `ExportLogsServiceRequest` in OTLP's JSON form. Other log records are left out. */
export function readLogEvents(request: JsonValue, idEncoding: IdEncoding): LogGroup[] {
  return listOf(objectOf(request)['resourceLogs']).map((group) => ({
    resource: readAttributes(objectOf(group['resource'])['attributes']),
    events: listOf(group['scopeLogs'])
      .flatMap((scoped) => listOf(scoped['logRecords']))
      .flatMap((record) => readRecord(record, idEncoding)),
  }));
}

function readRecord(record: JsonObject, idEncoding: IdEncoding): (LogEvent | undefined)[] {
  const attributes = readAttributes(record['attributes']);
  const name = textOf(record['eventName']) || textOf(attributes.get('event.name'));
  if (!name.startsWith(GEN_AI)) return [];
  const traceId = idOf(record['traceId'], HEX.trace, idEncoding);
  const spanId = idOf(record['spanId'], HEX.span, idEncoding);
  if (traceId === null || spanId === null) return [undefined];
  const time = bigOf(record['timeUnixNano']) || bigOf(record['observedTimeUnixNano']);
  return [
    {
      traceId,
      spanId,
      name,
      timeUnixNano: time < MAX_INT64 ? time : MAX_INT64,
      content: contentOf(record, attributes),
    },
  ];
}

function contentOf(record: JsonObject, attributes: Attributes): JsonObject {
  const content: JsonObject = {};
  for (const [name, value] of attributes) setKey(content, name, value);
  const body = readValue(record['body']);
  if (isJsonObject(body)) for (const name of Object.keys(body)) setKey(content, name, body[name]);
  return content;
}
