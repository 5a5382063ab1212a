import { type CallFilterDto, parseRef, withoutScheme, withScheme } from '@hone/contracts';
import { Prisma } from '@hone/database';

import { IS_SHOWN, JOIN_VALUES } from './call-fields.sql.js';

/** Which calls of a project are meant. */
export interface CallSelection {
  /** `<entity>/<project>`. */
  projectId: string;
  projectRowId: string;
  filter: CallFilterDto | null | undefined;
  /** Of an expression; undefined: none. */
  condition: Prisma.Sql | undefined;
  /** The condition, or what else is read, names a value. */
  needsValues: boolean;
  refScheme: string;
}

/**
 * `FROM … WHERE …` of the calls, as `c`; with their values as `v` where these are needed.
 *
 * @param joined what is joined to them besides
 * @param calls what gives the calls `c`, where it is not their table
 */
export function fromSelection(
  selection: CallSelection,
  joined = Prisma.empty,
  calls = Prisma.sql`calls c`,
): Prisma.Sql {
  const { projectId, projectRowId, condition, needsValues } = selection;
  const conditions = [...filterConditions(selection), ...(condition ? [condition] : [])];
  return Prisma.sql`
    FROM ${calls} CROSS JOIN (SELECT ${projectId}::text AS project_id) AS p ${needsValues ? JOIN_VALUES : Prisma.empty} ${joined}
    WHERE c.project_id = ${projectRowId}::uuid AND ${IS_SHOWN}
    ${conditions.length ? Prisma.sql`AND ${Prisma.join(conditions, ' AND ')}` : Prisma.empty}`;
}

/**
 * Whether the trace of `calls c` has a call that meets a condition. Within the subquery `c` is that other call, so that
 * conditions are written alike for both. The calls of each trace are found by the index of traces: the planner, which
 * knows nothing of conditions on values, has no other way to choose.
 *
 * @param needsValues whether the condition names a value
 * @param traceIds no call of another trace meets the condition; undefined: which traces have one is not known
 */
export function isInTrace(condition: Prisma.Sql, needsValues: boolean, traceIds?: readonly string[]): Prisma.Sql {
  const exists = Prisma.sql`EXISTS (
    SELECT FROM (SELECT c.project_id, c.trace_id) t
      JOIN calls c ON c.project_id = t.project_id AND c.trace_id = t.trace_id ${needsValues ? JOIN_VALUES : Prisma.empty}
    WHERE ${IS_SHOWN} AND ${condition})`;
  return traceIds ? Prisma.sql`(c.trace_id = ANY(${[...traceIds]}::text[]) AND ${exists})` : exists;
}

/** What a filter asks of `calls c`. */
export function filterConditions({ filter, refScheme }: Pick<CallSelection, 'filter' | 'refScheme'>): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (!filter) return conditions;
  if (filter.op_names?.length) conditions.push(isOneOfOps(filter.op_names, refScheme));
  for (const [column, values] of [
    ['c.parent_id', filter.parent_ids],
    ['c.trace_id', filter.trace_ids],
    ['c.id', filter.call_ids],
    ['c.thread_id', filter.thread_ids],
    ['c.turn_id', filter.turn_ids],
    ['c.svc_user_id::text', filter.svc_user_ids],
    ['c.run_id', filter.run_ids],
  ] as const)
    if (values?.length) conditions.push(isOneOf(Prisma.raw(column), values));
  for (const [column, refs] of [
    ['c.input_refs', filter.input_refs],
    ['c.output_refs', filter.output_refs],
  ] as const)
    if (refs?.length) {
      // The second half is the condition of the partial index.
      const bare = refs.map((ref) => (ref.includes(':///') ? withoutScheme(ref) : ref));
      conditions.push(Prisma.sql`${Prisma.raw(column)} && ${bare}::text[] AND ${Prisma.raw(column)} <> '{}'`);
    }
  // The condition of the partial index, word by word.
  if (filter.trace_roots_only) conditions.push(Prisma.sql`(c.parent_id IS NULL OR c.is_orphan)`);
  return conditions;
}

/** With one value an index gives its rows in order; with several it does not. */
const isOneOf = (column: Prisma.Sql, values: string[]): Prisma.Sql =>
  values.length === 1 ? Prisma.sql`${column} = ${values[0]}` : Prisma.sql`${column} = ANY(${values})`;

const ANY_VERSION = ':*';
/** What sorts right after all texts that begin with a colon. */
const AFTER_COLON = ';';

function isOneOfOps(names: string[], refScheme: string): Prisma.Sql {
  const own = names.map((name) => (parseRef(name)?.kind === 'op' ? withScheme(withoutScheme(name), refScheme) : name));
  const exact = own.filter((name) => !name.endsWith(ANY_VERSION));
  const ranges = own
    .filter((name) => name.endsWith(ANY_VERSION))
    .map((name) => {
      const base = name.slice(0, -ANY_VERSION.length);
      return Prisma.sql`(c.op_name >= ${`${base}:`} AND c.op_name < ${base + AFTER_COLON})`;
    });
  const parts = [...(exact.length ? [isOneOf(Prisma.raw('c.op_name'), exact)] : []), ...ranges];
  return Prisma.sql`(${Prisma.join(parts, ' OR ')})`;
}
