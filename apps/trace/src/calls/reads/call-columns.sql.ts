import {
  CALL_FIELDS,
  isAmongValues,
  isValueColumn,
  TRACE_FIELD,
  VALUE_COLUMNS,
  type ValueColumn,
} from '@hone/call-queries';
import { MODEL_TOKENS } from '@hone/calls';
import { Prisma } from '@hone/database';

import { DERIVED_FIELDS } from './call-summary.js';
import type { CallForm, NamedField } from './call-writer.js';

/** Computed from columns that are read with them. */
const COMPUTED_COLUMNS = ['deleted_at', 'expire_at'];
/** What a call is answered with where nothing else is asked for. */
export const ALL_COLUMNS = [...Object.keys(CALL_FIELDS).filter((name) => !/_refs$/.test(name)), ...COMPUTED_COLUMNS];

/** The columns of `calls c` that rows always have: what is computed of a call is computed of them. */
const BASE_COLUMNS = Prisma.sql`c.id, c.op_name, c.display_name, c.started_at, c.ended_at, c.exception,
  (c.has_descendant_error OR c.has_failed_descendant) AS has_descendant_error`;
/** The others by their names. Each costs time for each row, and lists are long. */
const OTHER_COLUMNS = new Map(
  Object.entries({
    trace_id: Prisma.sql`c.trace_id`,
    parent_id: Prisma.sql`c.parent_id`,
    thread_id: Prisma.sql`c.thread_id`,
    turn_id: Prisma.sql`c.turn_id`,
    svc_user_id: Prisma.sql`c.svc_user_id::text AS svc_user_id`,
    run_id: Prisma.sql`c.run_id`,
    run_step: Prisma.sql`c.run_step`,
    run_step_end: Prisma.sql`c.run_step_end`,
    input_refs: Prisma.sql`c.input_refs`,
    output_refs: Prisma.sql`c.output_refs`,
    storage_size_bytes: Prisma.sql`(c.start_bytes + c.end_bytes) AS storage_size_bytes`,
  }),
);

/** All columns of `calls c` but the values. */
export const CALL_COLUMNS = Prisma.join([BASE_COLUMNS, ...OTHER_COLUMNS.values()]);

/** What the columns have that are derived of values, as one object: few lists ask for it. */
const DERIVED_OBJECT = Prisma.sql`json_build_object('input_preview', c.input_preview, 'output_preview', c.output_preview,
  'error_class', c.error_class, 'end_user', c.end_user, 'prompt_ref', c.prompt_ref, 'first_token_ms', c.first_token_ms,
  'models', ARRAY(SELECT row_to_json(u) FROM ${MODEL_TOKENS} u ORDER BY u.place)) AS derived`;

/** Those of them that an answer of this form needs. */
export function columnsOf({ fields, includeStorageSize }: CallForm): Prisma.Sql {
  const names = new Set(fields.map(({ column }) => column));
  if (includeStorageSize) names.add('storage_size_bytes');
  if (fields.some(({ name }) => name === TRACE_FIELD)) names.add('trace_id');
  const asked = [...OTHER_COLUMNS].filter(([name]) => names.has(name)).map(([, sql]) => sql);
  const isDerived = fields.some(({ name }) => DERIVED_FIELDS.has(name));
  return Prisma.join([BASE_COLUMNS, ...asked, ...(isDerived ? [DERIVED_OBJECT] : [])]);
}

/** The values that fields are of. What is computed of columns alone needs none. */
export function valuesOf(fields: readonly NamedField[]): ValueColumn[] {
  const found = new Set(fields.filter(({ name }) => isAmongValues(name)).map(({ column }) => column));
  return VALUE_COLUMNS.filter((column) => found.has(column));
}

/** The rows of `query`, with the values that are asked for; these are read for no other row. */
export function withValues(query: Prisma.Sql, columns: ValueColumn[]): Prisma.Sql {
  if (columns.length === 0) return query;
  const texts = Prisma.raw(
    columns
      .filter(isValueColumn)
      .flatMap((column) => [`s.${column}_text`, `s.${column}_blob`])
      .join(', '),
  );
  return Prisma.sql`
    SELECT c.*, v.* FROM (${query}) c LEFT JOIN LATERAL (
      SELECT ${texts} FROM call_values s WHERE s.project_id = c.project_id AND s.id = c.id LIMIT 1
    ) v ON true`;
}
