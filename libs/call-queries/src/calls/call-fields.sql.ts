import { Prisma } from '@hone/database';

import { parseFieldPath } from '../expressions/field-path.js';
import { type FieldTable, resolveField } from '../expressions/fields.js';
import type { Operand } from '../expressions/operand.js';

/** Neither deleted nor without their start: the condition of the partial indexes, word by word. */
export const IS_SHOWN = Prisma.sql`c.deleted_at IS NULL AND c.started_at IS NOT NULL`;

/** The columns that hold JSON. */
export const VALUE_COLUMNS = ['attributes', 'inputs', 'output', 'summary'] as const;
export type ValueColumn = (typeof VALUE_COLUMNS)[number];

export const isValueColumn = (name: string): name is ValueColumn => (VALUE_COLUMNS as readonly string[]).includes(name);

/** Fields that a call may be asked for, in the order they are answered, and what their columns hold. */
export const CALL_FIELDS: FieldTable = {
  id: { kind: 'text', column: Prisma.sql`c.id`, isNeverNull: true },
  project_id: { kind: 'text', column: Prisma.sql`p.project_id`, isNeverNull: true },
  op_name: { kind: 'text', column: Prisma.sql`c.op_name`, isNeverNull: true },
  display_name: { kind: 'text', column: Prisma.sql`c.display_name` },
  trace_id: { kind: 'text', column: Prisma.sql`c.trace_id`, isNeverNull: true },
  parent_id: { kind: 'text', column: Prisma.sql`c.parent_id` },
  thread_id: { kind: 'text', column: Prisma.sql`c.thread_id` },
  turn_id: { kind: 'text', column: Prisma.sql`c.turn_id` },
  started_at: { kind: 'time', column: Prisma.sql`c.started_at`, isNeverNull: true },
  ended_at: { kind: 'time', column: Prisma.sql`c.ended_at` },
  exception: { kind: 'text', column: Prisma.sql`c.exception` },
  attributes: { kind: 'json', column: Prisma.sql`v.attributes` },
  inputs: { kind: 'json', column: Prisma.sql`v.inputs` },
  output: { kind: 'json', column: Prisma.sql`v.output` },
  summary: { kind: 'json', column: Prisma.sql`v.summary` },
  svc_user_id: { kind: 'text', column: Prisma.sql`c.svc_user_id::text`, isNeverNull: true },
  run_id: { kind: 'text', column: Prisma.sql`c.run_id` },
  run_step: { kind: 'number', column: Prisma.sql`c.run_step` },
  run_step_end: { kind: 'number', column: Prisma.sql`c.run_step_end` },
  input_refs: { kind: 'list', column: Prisma.sql`c.input_refs`, isNeverNull: true },
  output_refs: { kind: 'list', column: Prisma.sql`c.output_refs`, isNeverNull: true },
};

/** The status of a call, of its columns. */
export const STATUS = Prisma.sql`(CASE WHEN c.exception IS NOT NULL THEN 'error' WHEN c.ended_at IS NULL THEN 'running'
  WHEN c.has_descendant_error OR c.has_failed_descendant THEN 'descendant_error' ELSE 'success' END)`;

/** A sum over all models of `calls c`: of its first model, and of the others by their name in `usage_by_model`. */
const ofAllModels = (column: string, name: string): Prisma.Sql =>
  Prisma.raw(`(CASE WHEN c.usage_by_model IS NULL THEN c.${column} ELSE c.${column} + (
    SELECT sum(m.${name}) FROM jsonb_to_recordset(c.usage_by_model) AS m (${name} float8)) END)`);

/** What `summary.hone` has that is computed of columns alone. */
const COMPUTED: Readonly<Record<string, Operand>> = {
  // Of columns that are derived of values.
  'summary.hone.model': { kind: 'text', sql: Prisma.sql`c.model` },
  'summary.hone.prompt_tokens': { kind: 'number', sql: ofAllModels('prompt_tokens', 'pt') },
  'summary.hone.completion_tokens': { kind: 'number', sql: ofAllModels('completion_tokens', 'ct') },
  'summary.hone.total_tokens': { kind: 'number', sql: ofAllModels('total_tokens', 'tt') },
  'summary.hone.first_token_ms': { kind: 'number', sql: Prisma.sql`c.first_token_ms` },
  'summary.hone.error_class': { kind: 'text', sql: Prisma.sql`c.error_class` },
  'summary.hone.user': { kind: 'text', sql: Prisma.sql`c.end_user` },
  'summary.hone.prompt': { kind: 'text', sql: Prisma.sql`c.prompt_ref` },
  'summary.hone.input_preview': { kind: 'text', sql: Prisma.sql`c.input_preview` },
  'summary.hone.output_preview': { kind: 'text', sql: Prisma.sql`c.output_preview` },
  'summary.hone.status': {
    kind: 'text',
    sql: STATUS,
    isNeverNull: true,
  },
  'summary.hone.latency_ms': {
    kind: 'number',
    sql: Prisma.sql`(extract(epoch FROM c.ended_at - c.started_at) * 1000)`,
  },
  'summary.hone.trace_name': {
    kind: 'text',
    sql: Prisma.sql`coalesce(c.display_name, substring(c.op_name from '^[a-z][a-z0-9+.-]*:///[^/]+/[^/]+/op/([^/:]+):'),
      c.op_name)`,
    isNeverNull: true,
  },
};

/** What calls may be answered with, but neither chosen nor sorted by: Postgres does not know it. */
export const COST_FIELD = 'summary.hone.cost';
export const TRACE_FIELD = 'summary.hone.trace';
const isAnsweredOnly = (name: string): boolean => name === COST_FIELD || name === TRACE_FIELD;
/** What may only be counted: models that any call of the trace used. To choose by them, ask the calls of the trace. */
export const TRACE_MODELS_FIELD = 'summary.hone.trace.models';

/** Whether calls can be answered with a field. */
export const isCallField = (name: string): boolean => isAnsweredOnly(name) || callField(name) !== undefined;

/** The operand of a column, of a dotted path into a value, or of what is computed; undefined when there is none. */
export function callField(name: string): Operand | undefined {
  if (isAnsweredOnly(name) || name === TRACE_MODELS_FIELD) return undefined;
  return Object.hasOwn(COMPUTED, name) ? COMPUTED[name] : resolveField(CALL_FIELDS, name);
}

/** Whether a field is among the values, which are in a table of their own. */
export const isAmongValues = (name: string): boolean =>
  !Object.hasOwn(COMPUTED, name) &&
  !isAnsweredOnly(name) &&
  name !== TRACE_MODELS_FIELD &&
  isValueColumn(parseFieldPath(name).column);

const asJson = (column: ValueColumn) => Prisma.raw(`coalesce(s.${column}_json, s.${column}_text::jsonb) AS ${column}`);

/**
 * Joins the values of `calls c` as `v`: each JSON column as jsonb, made once per call and only where it is named. A
 * value in chunks is null.
 */
export const JOIN_VALUES = Prisma.sql`LEFT JOIN LATERAL (
    SELECT s.*, ${Prisma.join(VALUE_COLUMNS.map(asJson))} FROM call_values s
    WHERE s.project_id = c.project_id AND s.id = c.id LIMIT 1
  ) v ON true`;
