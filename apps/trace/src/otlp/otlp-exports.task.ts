import type { CallEnd, CallStart } from '@hone/calls';
import { toCallEnd, toCallStart } from '@hone/calls/call-halves';
import {
  check,
  type Class,
  type JsonValue,
  memberOf,
  OtlpExportDto,
  OtlpLogsDto,
  OtlpMetricsDto,
  parseJsonBytes,
  stringifyJson,
} from '@hone/contracts';
import { outcomeOf, type ReadOutcome, ValidationError } from '@hone/platform/body-task';
import { fromPieces, type Task, toPieces } from '@hone/threads';

import { readLogEvents, type SentEvent } from './events/log-records.js';
import { decodeRequest, type RequestName } from './otlp-protobuf.js';
import { readSpans } from './otlp-spans.js';
import type { IdEncoding } from './otlp-values.js';
import { projectOf } from './projects.js';
import { type Rejected, Rejections } from './rejections.js';
import { type SpanCall, toCall } from './span-call.js';

/** An export as it was sent. */
export interface SentExport {
  readonly bytes: Uint8Array;
  /** Else it is JSON. */
  readonly isProtobuf: boolean;
  /** `<entity>/<project>` of resources that name none. */
  readonly defaultProject: string;
  readonly refScheme: string;
}

/** What of an export can be stored. */
export interface ReadExport<Item> {
  readonly items: Item[];
  readonly rejected: Rejected;
}

/** A span as the call that it is. Its id is unique in its trace. */
export interface SentSpan {
  readonly projectId: string;
  readonly id: string;
  readonly start: CallStart & { traceId: string };
  /** Null: the span has not ended. */
  readonly end: CallEnd | null;
  /** A request to a model whose messages are not in the span: they may come as log records. */
  readonly lacksMessages: boolean;
}

/** A reader of exports, for this thread and for others. */
export interface ExportTask<Item> extends Task<SentExport, ReadOutcome<PackedExport>> {
  /** @throws ValidationError the bytes are no such request, or nothing of it can be stored */
  read(sent: SentExport): ReadExport<Item>;
  unpack(packed: PackedExport): Promise<ReadExport<Item>>;
}

interface PackedExport {
  readonly pieces: Uint8Array[];
  readonly rejected: Rejected;
}

const exportTask = <Item>(name: string, read: ExportTask<Item>['read']): ExportTask<Item> => ({
  ...{ module: import.meta.url, name, read },
  run: (sent) =>
    outcomeOf(() => {
      const { items, rejected } = read(sent);
      return { pieces: toPieces(items), rejected };
    }),
  unpack: async ({ pieces, rejected }) => ({ items: (await fromPieces(pieces)) as Item[], rejected }),
});

const BAD_IDS = 'traceId or spanId is not 16 or 8 bytes, or all of them are zero';
const NO_SPAN = 'an event of generative AI names no span: traceId or spanId is missing';

export const SPANS = exportTask('SPANS', (sent): ReadExport<SentSpan> => {
  const items: SentSpan[] = [];
  const rejections = new Rejections();
  const request = parse(sent, 'ExportTraceServiceRequest', OtlpExportDto);
  for (const group of readSpans(request, idEncodingOf(sent))) {
    const project = projectOf(group.resource, sent.defaultProject);
    for (const span of group.spans) {
      const problem = project.problem ?? (span ? null : BAD_IDS);
      if (problem === null && span) items.push(toSentSpan(project.id, toCall(span, group), sent.refScheme));
      else rejections.add(problem as string);
    }
  }
  return { items, rejected: rejections.toResult(items.length) };
});

/** Events of generative AI. Other log records are left out. */
export const EVENTS = exportTask('EVENTS', (sent): ReadExport<SentEvent> => {
  const items: SentEvent[] = [];
  const rejections = new Rejections();
  const request = parse(sent, 'ExportLogsServiceRequest', OtlpLogsDto);
  for (const { resource, events } of readLogEvents(request, idEncodingOf(sent))) {
    const project = projectOf(resource, sent.defaultProject);
    for (const event of events) {
      const problem = project.problem ?? (event ? null : NO_SPAN);
      if (problem === null && event)
        items.push({ projectId: project.id, ...event, content: stringifyJson(event.content) });
      else rejections.add(problem as string);
    }
  }
  return { items, rejected: rejections.toResult(items.length) };
});

/** Metrics are not kept: only the outermost shape of their JSON is checked. */
export const METRICS = exportTask('METRICS', ({ bytes }): ReadExport<never> => {
  parseJson(bytes, OtlpMetricsDto);
  return { items: [], rejected: null };
});

/** Ids are base64 in the form of JSON that protobuf is decoded to. */
const idEncodingOf = ({ isProtobuf }: SentExport): IdEncoding => (isProtobuf ? 'base64' : 'hex');

const parse = ({ bytes, isProtobuf }: SentExport, name: RequestName, type: Class): JsonValue =>
  isProtobuf ? decode(bytes, name) : parseJson(bytes, type);

function parseJson(bytes: Uint8Array, type: Class): JsonValue {
  const value = parseJsonBytes(bytes);
  const { issues } = check(type, value, ['body']);
  if (issues.length) throw new ValidationError(issues);
  return value;
}

function decode(bytes: Uint8Array, name: RequestName): JsonValue {
  try {
    return decodeRequest(name, bytes);
  } catch {
    // Whatever the decoder throws, the bytes are to blame: it sees nothing else.
    throw new ValidationError([{ loc: ['body'], msg: `The body is no ${name} in protobuf.`, type: 'value_error' }]);
  }
}

const toSentSpan = (projectId: string, call: SpanCall, refScheme: string): SentSpan => ({
  ...{ projectId, id: call.id },
  start: { ...toCallStart(call.start, refScheme), traceId: call.start.trace_id },
  end: call.end && toCallEnd(call.end),
  lacksMessages: lacksMessages(call),
});

const lacksMessages = ({ start, end }: SpanCall): boolean =>
  memberOf(start.attributes as never, 'gen_ai') !== undefined &&
  (memberOf(start.inputs as never, 'messages') === undefined || end?.output === null);
