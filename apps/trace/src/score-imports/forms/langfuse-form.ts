import {
  asNumber,
  EVIDENCE_KINDS,
  type EvidenceKind,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
} from '@hone/contracts';
import { tryParseJson } from '@hone/json';

import type { EvidenceByName, ReadScore } from '../imported-score.js';

const MAX_NAME = 200;
const MAX_ID = 512;
const DATA_TYPES = ['NUMERIC', 'BOOLEAN', 'CATEGORICAL', 'TEXT', 'CORRECTION'] as const;
type DataType = (typeof DATA_TYPES)[number];

/**
 * A score of Langfuse, as its SDKs send it, its API answers it (versions 1 to 3), or its exports have it, where names of columns
 * differ by case and underscores, and all values are texts.
 */
export function readLangfuse(sent: JsonObject, evidence: EvidenceByName): ReadScore {
  const members = new Map(Object.entries(sent).map(([name, value]) => [toKey(name), value ?? null]));
  const text = (name: string) => textOf(members.get(name));
  const id = text('id');
  const name = text('name');
  if (name === null || name.length > MAX_NAME)
    return { id, problem: `A score should have a name of 1 to ${MAX_NAME} characters.` };
  if (id !== null && id.length > MAX_ID) return { id: null, problem: `An id has at most ${MAX_ID} characters.` };
  const type = text('datatype')?.toUpperCase() ?? null;
  if (type !== null && !isDataType(type))
    return { id, problem: `The data type should be one of ${DATA_TYPES.join(', ')}.` };
  const value = valueOf(type, members.get('value') ?? null, text('stringvalue'));
  if (value === undefined) return { id, problem: 'The value should be of the data type.' };
  const subject = subjectOf(members);
  if (subject === null) return { id, problem: 'A score of a session or a dataset run is of no call.' };
  const metadata = parsed(members.get('metadata') ?? null);
  return {
    ...{ tool: 'langfuse', id, ...subject, name, value, metadata },
    evidence: evidence[name] ?? evidenceOf(text('source'), metadata),
    kind: type === 'CORRECTION' ? 'correction' : 'score',
    comment: text('comment'),
    creator: text('authoruserid'),
    timestamp: text('timestamp'),
  };
}

/** `traceId`, `trace_id` and `Trace ID` are one name. */
const toKey = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : null;

const isDataType = (type: string): type is DataType => (DATA_TYPES as readonly string[]).includes(type);

/** Objects of CSV files are texts. */
const parsed = (value: JsonValue): JsonValue =>
  typeof value === 'string' ? (tryParseJson(value) ?? (value === '' ? null : value)) : value;

/** undefined: it is not of the type. */
function valueOf(type: DataType | null, value: JsonValue, label: string | null): JsonValue | undefined {
  switch (type) {
    case 'NUMERIC':
      return numberOf(value);
    case 'BOOLEAN':
      return flagOf(value);
    case null:
      // The API takes a number or a text, and says which it was; a column of a CSV file has texts alone.
      return typeof value === 'boolean' ? value : (numberOf(value) ?? textOf(value) ?? undefined);
    default:
      return label ?? textOf(value) ?? undefined;
  }
}

function numberOf(value: JsonValue): number | undefined {
  // Numbers such as 1.0, which Python writes, keep how they were written.
  const number = typeof value === 'string' ? Number(value.trim() || NaN) : asNumber(value);
  return number !== undefined && Number.isFinite(number) ? number : undefined;
}

function flagOf(value: JsonValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  const number = numberOf(value);
  return number === 0 || number === 1 ? number === 1 : undefined;
}

/** Null: it is of no trace. */
function subjectOf(
  members: ReadonlyMap<string, JsonValue>,
): { readonly traceId: string | null; readonly spanId: string | null } | null {
  const [traceId, spanId] = [textOf(members.get('traceid')), textOf(members.get('observationid'))];
  if (traceId !== null || spanId !== null) return { traceId, spanId };
  const subject = members.get('subject');
  if (!isJsonObject(subject)) return null;
  const [kind, id] = [memberOf(subject, 'kind'), textOf(memberOf(subject, 'id'))];
  if (kind === 'trace' && id !== null) return { traceId: id, spanId: null };
  return kind === 'observation' && id !== null ? { traceId: textOf(memberOf(subject, 'traceId')), spanId: id } : null;
}

/** Programs send what people gave them, too: they may say so. */
function evidenceOf(source: string | null, metadata: JsonValue): EvidenceKind {
  const said = memberOf(metadata, 'evidence');
  const known = EVIDENCE_KINDS.find((kind) => kind === said);
  if (known) return known;
  if (source?.toUpperCase() === 'ANNOTATION') return 'human';
  return source?.toUpperCase() === 'EVAL' ? 'judge' : 'check';
}
