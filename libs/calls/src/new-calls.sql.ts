import { newId, Prisma } from '@hone/database';

import type { CallDraft } from './call-halves.record.js';
import { type ChunkKeys, toJsonRow } from './call-row.js';
import { CALL_COLUMNS, names, rowsOf, sources, VALUE_COLUMNS } from './call-rows.sql.js';

/** A whole call that belongs to a record with a UUID. */
export interface KeyedCall {
  readonly uid: string;
  readonly draft: CallDraft;
}

/**
 * Parts of a WITH clause that store whole calls beside the records that they belong to: exactly the calls of those that
 * the part `stored` has the `uid` of. A call whose id another one has gets the UUID of its record as its id. `new_calls`
 * has a row for each that was stored, `call_rows` one for each that should be: they differ where another process stores
 * a call of the same id at the same moment.
 *
 * @param chunks keys of the values that were stored before, because they are too large for a row
 */
export function newCalls(calls: readonly KeyedCall[], chunks: ChunkKeys): Prisma.Sql {
  const drafts = calls.map(({ draft }) => draft);
  const rows = { calls: drafts, rows: drafts.map((draft) => toJsonRow(draft, newId, chunks)), chunks };
  const uids = Prisma.sql`${calls.map(({ uid }) => uid)}::uuid[]`;
  return Prisma.sql`
    asked_rows AS (
      SELECT *, row_number() OVER (PARTITION BY p, i ORDER BY uid) AS place FROM ${rowsOf(rows, { uid: uids })}
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

/** All that the columns are made of, but for the id. */
const ROW_COLUMNS = Prisma.raw(
  ['p', 'u', 'op', 'dn', 'tr', 'pa', 'th', 'tu', 'st', 'ir', 'ri', 'rs', 'sb', 'en', 'ex', 'de', 'orf', 're', 'eb']
    .concat(['at', 'ab', 'ac', 'it', 'ib', 'ic', 'ot', 'ob', 'oc', 'sx', 'sbl', 'sc'])
    .join(', '),
);
