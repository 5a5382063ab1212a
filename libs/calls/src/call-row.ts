import type { CallDraft, CallEnd, CallStart, JsonBytes, JsonDraft } from './call-halves.record.js';
import type { DerivedFacts } from './derived/derived.js';
import { derivedOfBytes, previewsOfBytes } from './derived/derived-of-bytes.js';
import {
  DERIVED_ROW_TYPES,
  derivedEndMembers,
  derivedStartMembers,
  factMembers,
  hasFacts,
  previewMembers,
} from './derived/derived-row.js';

/**
 * What the statement reads of a call besides the texts of its values, and the types of its columns. Names are short: they
 * are sent once per call.
 */
export const ROW_TYPES = `p uuid, i text, u uuid,
  op text, dn text, tr text, tm boolean, pa text, ph boolean, th text, tu text, st timestamptz, ir text[], ri text, rs int, sb bigint,
  ab text, ac jsonb, ib text, ic jsonb,
  en timestamptz, ex text, de boolean, orf text[], re int, eb bigint,
  ob text, oc jsonb, sbl text, sc jsonb, ${DERIVED_ROW_TYPES}`;

/** A value's columns in a row: the chunks' key, and a copy for expressions. */
type Names = readonly [blob: string, copy: string];

const ATTRIBUTES: Names = ['ab', 'ac'];
const INPUTS: Names = ['ib', 'ic'];
const OUTPUT: Names = ['ob', 'oc'];
const SUMMARY: Names = ['sbl', 'sc'];

/** Large values, which are stored in chunks -> the keys of these. */
export type ChunkKeys = ReadonlyMap<JsonDraft | JsonBytes, string>;

/**
 * A call without the texts of its values as JSON text for the statement; what is null is left out. Written by hand, not
 * from an object: this runs once per stored call.
 *
 * @param makeId for the trace of a start that names none
 * @param isParentHere the parent is stored with it
 */
export function toJsonRow(draft: CallDraft, makeId: () => string, chunks: ChunkKeys, isParentHere: boolean): string {
  const { projectRowId, id, svcUserId, start, end } = draft;
  let row = `{"p":"${projectRowId}","i":${JSON.stringify(id)},"u":"${svcUserId}"`;
  const displayName = end?.displayName ?? start?.displayName ?? null;
  if (displayName !== null) row += `,"dn":${JSON.stringify(displayName)}`;
  if (start) row += startColumns(start, makeId, chunks);
  if (isParentHere) row += `,"ph":true`;
  if (end) row += endColumns(end, chunks);
  return `${row}}`;
}

function startColumns(start: CallStart, makeId: () => string, chunks: ChunkKeys): string {
  let row = `,"op":${JSON.stringify(start.opName)},"st":"${start.startedAt.toISOString()}"`;
  row += start.traceId === null ? `,"tr":"${makeId()}","tm":true` : `,"tr":${JSON.stringify(start.traceId)}`;
  if (start.parentId !== null) row += `,"pa":${JSON.stringify(start.parentId)}`;
  if (start.threadId !== null) row += `,"th":${JSON.stringify(start.threadId)}`;
  if (start.turnId !== null) row += `,"tu":${JSON.stringify(start.turnId)}`;
  if (start.runId !== null) row += `,"ri":${JSON.stringify(start.runId)}`;
  if (start.runStep !== null) row += `,"rs":${start.runStep}`;
  if (start.inputs.refs.length) row += `,"ir":${JSON.stringify(start.inputs.refs)}`;
  row += `,"sb":${bytesOf(start.attributes) + bytesOf(start.inputs)}`;
  if (start.derived !== null) row += derivedStartMembers(start.derived);
  return row + valueColumns(ATTRIBUTES, start.attributes, chunks) + valueColumns(INPUTS, start.inputs, chunks);
}

function endColumns(end: CallEnd, chunks: ChunkKeys): string {
  let row = `,"de":${end.hasDescendantError}`;
  if (end.endedAt !== null) row += `,"en":"${end.endedAt.toISOString()}"`;
  if (end.exception !== null) row += `,"ex":${JSON.stringify(end.exception)}`;
  if (end.runStepEnd !== null) row += `,"re":${end.runStepEnd}`;
  if (end.output.refs.length) row += `,"orf":${JSON.stringify(end.output.refs)}`;
  row += `,"eb":${bytesOf(end.output) + bytesOf(end.summary)}`;
  if (end.derived !== null) row += derivedEndMembers(end.derived);
  return row + valueColumns(OUTPUT, end.output, chunks) + valueColumns(SUMMARY, end.summary, chunks);
}

const bytesOf = ({ text }: JsonDraft): number => Buffer.byteLength(text);

/** What is known of a whole call when it ends, but for its values. */
export interface CallFacts {
  /** UUID of the record that it belongs to. */
  readonly uid: string;
  readonly projectRowId: string;
  /** Needs no escape in JSON. */
  readonly id: string;
  readonly svcUserId: string;
  readonly opName: string;
  /** Needs no escape in JSON. */
  readonly traceId: string;
  /** Null: none. Needs no escape in JSON. */
  readonly parentId: string | null;
  readonly threadId: string | null;
  /** ISO 8601. */
  readonly startedAt: string;
  /** ISO 8601. */
  readonly endedAt: string;
  readonly exception: string | null;
  readonly derived: DerivedFacts;
}

/** Values of a whole call. */
export interface CallValues {
  readonly attributes: JsonBytes;
  readonly inputs: JsonBytes;
  readonly output: JsonBytes;
  readonly summary: JsonBytes;
}

/** Within texts, quotes are escaped. */
const PARENT_MEMBER = ',"pa":"';
const PROJECT = /"p":"([^"]+)"/;

/** The row of a whole call up to its values, which {@link withValues} adds. */
export function toOpenRow(facts: CallFacts): string {
  const { uid, projectRowId, id, svcUserId, opName, traceId, parentId, threadId, startedAt, endedAt } = facts;
  let row = `{"uid":"${uid}","p":"${projectRowId}","i":"${id}","u":"${svcUserId}","op":${JSON.stringify(opName)}`;
  row += `,"tr":"${traceId}","st":"${startedAt}","en":"${endedAt}","de":false`;
  if (parentId !== null) row += `${PARENT_MEMBER}${parentId}"`;
  if (threadId !== null) row += `,"th":${JSON.stringify(threadId)}`;
  if (facts.exception !== null) row += `,"ex":${JSON.stringify(facts.exception)}`;
  return row + factMembers(facts.derived);
}

/** Row id of the project that an open row is of. */
export const projectOfRow = (row: string): string => PROJECT.exec(row)?.[1] as string;

/**
 * Keys that a whole call with a parent may be stored under; none: it has no parent, and nothing above it to correct.
 *
 * @param row of {@link toOpenRow}
 */
export function childKeysOf(row: string): { projectRowId: string; id: string }[] {
  if (!row.includes(PARENT_MEMBER)) return [];
  const { p: projectRowId, i, uid } = JSON.parse(`${row}}`) as { p: string; i: string; uid: string };
  return [i, uid].map((id) => ({ projectRowId, id }));
}

/** @param row of {@link toOpenRow} */
export function withValues(row: string, values: CallValues, chunks: ChunkKeys): string {
  const { attributes, inputs, output, summary } = values;
  let whole = row + derivedMembers(row, values);
  if (inputs.refs.length) whole += `,"ir":${JSON.stringify(inputs.refs)}`;
  if (output.refs.length) whole += `,"orf":${JSON.stringify(output.refs)}`;
  whole += `,"sb":${attributes.bytes.length + inputs.bytes.length},"eb":${output.bytes.length + summary.bytes.length}`;
  whole += valueColumns(ATTRIBUTES, attributes, chunks) + valueColumns(INPUTS, inputs, chunks);
  return `${whole}${valueColumns(OUTPUT, output, chunks)}${valueColumns(SUMMARY, summary, chunks)}}`;
}

/** Rows that were journalled by an earlier version have no facts. */
function derivedMembers(row: string, values: CallValues): string {
  if (hasFacts(row)) return previewMembers(previewsOfBytes(values.inputs.bytes, values.output.bytes));
  const { ex = null } = JSON.parse(`${row}}`) as { ex?: string };
  const derived = derivedOfBytes({ ...values, exception: ex });
  return derivedStartMembers(derived) + derivedEndMembers(derived);
}

function valueColumns([blob, copy]: Names, draft: JsonDraft | JsonBytes, chunks: ChunkKeys): string {
  const key = chunks.get(draft);
  const searchable = draft.searchable === null ? '' : `,"${copy}":${draft.searchable}`;
  return key === undefined ? searchable : `,"${blob}":"${key}"${searchable}`;
}
