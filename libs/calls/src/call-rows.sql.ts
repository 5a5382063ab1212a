import { Prisma, textArray } from '@hone/database';

import type { CallDraft, JsonDraft } from './call-halves.record.js';
import { type ChunkKeys, ROW_TYPES } from './call-row.js';
import { DERIVED_END_COLUMNS, DERIVED_START_COLUMNS } from './derived/derived-row.js';
import { isParent } from './tree/parents.sql.js';
import { ValueRepository } from './values/value.repository.js';

/** The parent is neither stored with the call nor there already. `LIMIT` keeps Postgres from reading all calls instead. */
const IS_ORPHAN = `pa IS NOT NULL AND ph IS NULL AND (
  SELECT true FROM calls x WHERE x.project_id = p AND x.id = pa AND ${isParent('x', { trace: 'tr', parent: 'pa' })} LIMIT 1) IS NULL`;

/** Columns of each half, and where the statement's row has them. */
export const START_COLUMNS = {
  op_name: 'op',
  parent_id: 'pa',
  is_orphan: IS_ORPHAN,
  thread_id: 'th',
  turn_id: 'tu',
  started_at: 'st',
  input_refs: `coalesce(ir, '{}')`,
  run_id: 'ri',
  run_step: 'rs',
  start_bytes: 'coalesce(sb, 0)',
  ...DERIVED_START_COLUMNS,
};
export const END_COLUMNS = {
  ended_at: 'en',
  exception: 'ex',
  has_descendant_error: 'coalesce(de, false)',
  output_refs: `coalesce(orf, '{}')`,
  run_step_end: 're',
  end_bytes: 'coalesce(eb, 0)',
  ...DERIVED_END_COLUMNS,
};
export const CALL_COLUMNS = {
  ...{ project_id: 'p', id: 'i', svc_user_id: 'u', trace_id: 'tr', display_name: 'dn' },
  ...START_COLUMNS,
  ...END_COLUMNS,
};
export const START_VALUES = {
  ...{ attributes_text: 'at', attributes_blob: 'ab', attributes_json: 'ac' },
  ...{ inputs_text: 'it', inputs_blob: 'ib', inputs_json: 'ic' },
};
export const END_VALUES = {
  ...{ output_text: 'ot', output_blob: 'ob', output_json: 'oc' },
  ...{ summary_text: 'sx', summary_blob: 'sbl', summary_json: 'sc' },
};
export const VALUE_COLUMNS = { project_id: 'p', id: 'i', ...START_VALUES, ...END_VALUES };

/** Columns, or where a row has their values, as a list for a statement. */
export const names = (columns: object) => Prisma.raw(Object.keys(columns).join(', '));
export const sources = (columns: Record<string, string>) => Prisma.raw(Object.values(columns).join(', '));

/** Calls, and their rows without the texts of values, as one statement takes them. */
export interface CallRows {
  calls: CallDraft[];
  /** Of `toJsonRow`. */
  rows: string[];
  chunks: ChunkKeys;
}

/** The rows of calls, as a table `row` of a FROM clause. */
export const rowsOf = (rows: CallRows): Prisma.Sql => rowTable(textsOf(rows), rows.rows);

/**
 * @param texts arrays of the values: attributes, inputs, output, summary
 * @param rows a JSON object each
 * @param more further columns of the rows, with their types
 */
export const rowTable = (texts: Prisma.Sql, rows: readonly string[], more = ''): Prisma.Sql => Prisma.sql`
  ROWS FROM (unnest(${texts}),
    json_to_recordset(${`[${rows.join(',')}]`}::json) AS (${Prisma.raw(more + ROW_TYPES)})) AS row (at, it, ot, sx)`;

/** What a row holds of a value in place; null: it is in chunks, or was not sent. */
export const textOf = (value: JsonDraft | undefined, chunks: ChunkKeys): string | null =>
  value === undefined || chunks.has(value) ? null : value.text;

function textsOf({ calls, chunks }: CallRows): Prisma.Sql {
  const array = (valueOf: (call: CallDraft) => JsonDraft | undefined) =>
    Prisma.sql`${textArray(calls.map((call) => textOf(valueOf(call), chunks)))}::text[]`;
  return Prisma.sql`${array(({ start }) => start?.attributes)}, ${array(({ start }) => start?.inputs)},
    ${array(({ end }) => end?.output)}, ${array(({ end }) => end?.summary)}`;
}

export const valuesOf = ({ start, end }: CallDraft): JsonDraft[] => [
  ...(start ? [start.attributes, start.inputs] : []),
  ...(end ? [end.output, end.summary] : []),
];

/** Stores the values that are too large for a row, in the ambient transaction. */
export async function putLargeValues(calls: CallDraft[], values: ValueRepository): Promise<ChunkKeys> {
  const keys = new Map<JsonDraft, string>();
  for (const call of calls)
    for (const value of valuesOf(call))
      if (ValueRepository.isLarge(value.text))
        keys.set(value, await values.putBytes(call.projectRowId, Buffer.from(value.text)));
  return keys;
}

export const hasLargeValue = (call: CallDraft): boolean =>
  valuesOf(call).some((value) => ValueRepository.isLarge(value.text));
