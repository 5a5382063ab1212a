import { CALL_FIELDS, isAmongValues, isValueColumn, VALUE_COLUMNS, type ValueColumn } from '@hone/call-queries';
import { Prisma } from '@hone/database';

import type { NamedField } from './call-writer.js';

/** Computed from columns that are read with them. */
const COMPUTED_COLUMNS = ['deleted_at', 'expire_at'];
/** What a call is answered with where nothing else is asked for. */
export const ALL_COLUMNS = [...Object.keys(CALL_FIELDS).filter((name) => !/_refs$/.test(name)), ...COMPUTED_COLUMNS];

/** The columns of `calls c` that rows always have: cheap, and what is computed of a call is computed of them. */
export const CALL_COLUMNS = Prisma.sql`c.id, c.op_name, c.display_name, c.trace_id, c.parent_id, c.thread_id, c.turn_id,
  c.started_at, c.ended_at, c.exception, c.svc_user_id::text AS svc_user_id, c.run_id, c.run_step, c.run_step_end,
  c.input_refs, c.output_refs, c.has_descendant_error, (c.start_bytes + c.end_bytes) AS storage_size_bytes`;

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
