import { Prisma, textArray } from '@hone/database';

import type { JsonBytes } from './call-halves.record.js';
import { type CallValues, type ChunkKeys, projectOfRow, withValues } from './call-row.js';
import { CALL_COLUMNS, names, rowTable, sources, VALUE_COLUMNS } from './call-rows.sql.js';
import { DERIVED_ROW_NAMES } from './derived/derived-row.js';
import { MAX_INLINE_BYTES } from './values/inline.js';
import type { ValueRepository } from './values/value.repository.js';

/** A whole call that belongs to a record with a UUID. */
export interface WholeCall {
  /** Of `toOpenRow`. */
  readonly row: string;
  readonly values: CallValues;
}

const valuesOf = ({ values }: WholeCall): JsonBytes[] => [
  values.attributes,
  values.inputs,
  values.output,
  values.summary,
];

const isLarge = ({ bytes }: JsonBytes): boolean => bytes.length > MAX_INLINE_BYTES;

export const isLargeCall = (call: WholeCall): boolean => valuesOf(call).some(isLarge);

/** Stores the values that are too large for a row, in the ambient transaction. */
export async function putLargeParts(calls: readonly WholeCall[], values: ValueRepository): Promise<ChunkKeys> {
  const keys = new Map<JsonBytes, string>();
  for (const call of calls)
    for (const value of valuesOf(call).filter(isLarge))
      keys.set(value, await values.putBytes(projectOfRow(call.row), value.bytes));
  return keys;
}

/**
 * Parts of a WITH clause that store whole calls beside the records that they belong to: exactly the calls of those that
 * the part `stored` has the `uid` of. A call whose id another one has gets the UUID of its record as its id. `new_calls`
 * has a row for each that was stored, `call_rows` one for each that should be: they differ where another process stores
 * a call of the same id at the same moment.
 *
 * @param chunks keys of the values that were stored before, because they are too large for a row
 */
export function newCalls(calls: readonly WholeCall[], chunks: ChunkKeys): Prisma.Sql {
  const rows = calls.map(({ row, values }) => withValues(row, values, chunks));
  return Prisma.sql`
    asked_rows AS (
      SELECT *, row_number() OVER (PARTITION BY p, i ORDER BY uid) AS place FROM ${rowTable(textsOf(calls, chunks), rows, 'uid uuid, ')}
      WHERE uid IN (SELECT uid FROM stored)),
    call_rows AS MATERIALIZED (
      SELECT ${ROW_COLUMNS}, CASE WHEN place > 1 OR EXISTS (SELECT FROM calls c WHERE c.project_id = p AND c.id = a.i)
        THEN uid::text ELSE a.i END AS i
      FROM asked_rows a),
    new_calls AS (
      INSERT INTO calls (${names(CALL_COLUMNS)}) SELECT ${sources(CALL_COLUMNS)} FROM call_rows ORDER BY p, i
      ON CONFLICT DO NOTHING RETURNING id),
    new_values AS (
      INSERT INTO call_values (${names(VALUE_COLUMNS)}) SELECT ${sources(VALUE_COLUMNS)} FROM call_rows ORDER BY p, i
      ON CONFLICT DO NOTHING)`;
}

function textsOf(calls: readonly WholeCall[], chunks: ChunkKeys): Prisma.Sql {
  const array = (valueOf: (values: CallValues) => JsonBytes) => {
    const values = calls.map((call) => valueOf(call.values));
    return Prisma.sql`${textArray(values.map((value) => (chunks.has(value) ? null : value.bytes)))}::text[]`;
  };
  return Prisma.sql`${array(({ attributes }) => attributes)}, ${array(({ inputs }) => inputs)},
    ${array(({ output }) => output)}, ${array(({ summary }) => summary)}`;
}

/** All that the columns are made of, but for the id. */
const ROW_COLUMNS = Prisma.raw(
  [
    'p',
    'u',
    'op',
    'dn',
    'tr',
    'pa',
    'ph',
    'th',
    'tu',
    'st',
    'ir',
    'ri',
    'rs',
    'sb',
    'en',
    'ex',
    'de',
    'orf',
    're',
    'eb',
  ]
    .concat(['at', 'ab', 'ac', 'it', 'ib', 'ic', 'ot', 'ob', 'oc', 'sx', 'sbl', 'sc'])
    .concat(DERIVED_ROW_NAMES)
    .join(', '),
);
