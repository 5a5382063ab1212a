import type { CallDraft, CallEnd, CallStart, JsonDraft } from './call-halves.record.js';

/**
 * What the statement reads of a call besides the texts of its values, and the types of its columns. Names are short: they
 * are sent once per call.
 */
export const ROW_TYPES = `p uuid, i text, u uuid,
  op text, dn text, tr text, tm boolean, pa text, th text, tu text, st timestamptz, ir text[], ri text, rs int, sb bigint,
  ab text, ac jsonb, ib text, ic jsonb,
  en timestamptz, ex text, de boolean, orf text[], re int, eb bigint,
  ob text, oc jsonb, sbl text, sc jsonb`;

/** A value's columns in a row: the chunks' key, and a copy for expressions. */
type Names = readonly [blob: string, copy: string];

const ATTRIBUTES: Names = ['ab', 'ac'];
const INPUTS: Names = ['ib', 'ic'];
const OUTPUT: Names = ['ob', 'oc'];
const SUMMARY: Names = ['sbl', 'sc'];

/** Large values, which are stored in chunks -> the keys of these. */
export type ChunkKeys = ReadonlyMap<JsonDraft, string>;

/**
 * A call without the texts of its values as JSON text for the statement; what is null is left out. Written by hand, not
 * from an object: this runs once per stored call.
 *
 * @param makeId for the trace of a start that names none
 */
export function toJsonRow(draft: CallDraft, makeId: () => string, chunks: ChunkKeys): string {
  const { projectRowId, id, svcUserId, start, end } = draft;
  let row = `{"p":"${projectRowId}","i":${JSON.stringify(id)},"u":"${svcUserId}"`;
  const displayName = end?.displayName ?? start?.displayName ?? null;
  if (displayName !== null) row += `,"dn":${JSON.stringify(displayName)}`;
  if (start) row += startColumns(start, makeId, chunks);
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
  return row + valueColumns(ATTRIBUTES, start.attributes, chunks) + valueColumns(INPUTS, start.inputs, chunks);
}

function endColumns(end: CallEnd, chunks: ChunkKeys): string {
  let row = `,"de":${end.hasDescendantError}`;
  if (end.endedAt !== null) row += `,"en":"${end.endedAt.toISOString()}"`;
  if (end.exception !== null) row += `,"ex":${JSON.stringify(end.exception)}`;
  if (end.runStepEnd !== null) row += `,"re":${end.runStepEnd}`;
  if (end.output.refs.length) row += `,"orf":${JSON.stringify(end.output.refs)}`;
  row += `,"eb":${bytesOf(end.output) + bytesOf(end.summary)}`;
  return row + valueColumns(OUTPUT, end.output, chunks) + valueColumns(SUMMARY, end.summary, chunks);
}

const bytesOf = ({ text }: JsonDraft): number => Buffer.byteLength(text);

function valueColumns([blob, copy]: Names, draft: JsonDraft, chunks: ChunkKeys): string {
  const key = chunks.get(draft);
  if (key !== undefined) return `,"${blob}":"${key}"`;
  return draft.searchable === null ? '' : `,"${copy}":${draft.searchable}`;
}
