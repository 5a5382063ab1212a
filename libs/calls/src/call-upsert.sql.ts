import { Prisma } from '@hone/database';

import {
  CALL_COLUMNS,
  type CallRows,
  END_COLUMNS,
  END_VALUES,
  names,
  rowsOf,
  sources,
  START_COLUMNS,
  START_VALUES,
  VALUE_COLUMNS,
} from './call-rows.sql.js';

/** A half that was sent replaces the stored one; the other half is untouched. */
const replaced = (table: string, columns: object, isSent: string) =>
  Object.keys(columns)
    .map((name) => `${name} = CASE WHEN ${isSent} THEN excluded.${name} ELSE ${table}.${name} END`)
    .join(', ');
const REPLACED_CALL = Prisma.raw(
  `${replaced('calls', START_COLUMNS, 'excluded.started_at IS NOT NULL')},
   ${replaced('calls', END_COLUMNS, 'excluded.ended_at IS NOT NULL')}`,
);
/** Each half has a value that is never absent. */
const REPLACED_VALUES = Prisma.raw(
  `${replaced('v', START_VALUES, '(excluded.inputs_text IS NOT NULL OR excluded.inputs_blob IS NOT NULL)')},
   ${replaced('v', END_VALUES, '(excluded.summary_text IS NOT NULL OR excluded.summary_blob IS NOT NULL)')}`,
);

/** Stores calls, or halves of them. */
export const upsert = (statement: CallRows): Prisma.Sql => Prisma.sql`
  WITH row AS MATERIALIZED (SELECT * FROM ${rowsOf(statement)}),
  stored AS (${upsertValues(Prisma.empty)})
  ${UPSERT_CALLS}`;

/** Stores spans, but leaves alone calls of other traces. Returns keys of those that were stored. */
export const upsertSpans = (statement: CallRows): Prisma.Sql => Prisma.sql`
  WITH row AS MATERIALIZED (SELECT * FROM ${rowsOf(statement)}),
  stored AS (${UPSERT_CALLS} WHERE calls.trace_id IS NULL OR calls.trace_id = excluded.trace_id RETURNING project_id, id),
  stored_values AS (${upsertValues(Prisma.sql`WHERE (p, i) IN (SELECT project_id, id FROM stored)`)})
  SELECT project_id AS "projectRowId", id FROM stored`;

const upsertValues = (condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO call_values AS v (${names(VALUE_COLUMNS)}) SELECT ${sources(VALUE_COLUMNS)} FROM row ${condition}
  ON CONFLICT (project_id, id) DO UPDATE SET ${REPLACED_VALUES}`;

const UPSERT_CALLS = Prisma.sql`
  INSERT INTO calls (${names(CALL_COLUMNS)}) SELECT ${sources(CALL_COLUMNS)} FROM row
  ON CONFLICT (project_id, id) DO UPDATE SET ${REPLACED_CALL},
    erased_at = NULL, -- what comes late of a deleted call is erased by the next run
    display_name = coalesce(excluded.display_name, calls.display_name),
    trace_id = CASE WHEN excluded.started_at IS NULL THEN calls.trace_id
      WHEN calls.trace_id IS NOT NULL AND excluded.trace_id IN (SELECT tr FROM row WHERE tm) THEN calls.trace_id
      ELSE excluded.trace_id END`;
