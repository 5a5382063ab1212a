import { JOIN_VALUES, parseFieldPath } from '@hone/call-queries';
import { EVALUATION_CALLS } from '@hone/calls';
import type { EvalResultsQueryDto, EvalResultsSortDto, ResultStatus } from '@hone/contracts';
import { Prisma } from '@hone/database';
import { EXAMPLE, IS_PREDICTION, isOfKind, OUTPUT_OF_SDK, type PlannedRun, trialsOf } from '@hone/evaluation-results';

/** What rows are meant where nothing else is asked for. */
const DEFAULT_STATUSES: readonly ResultStatus[] = ['predicted', 'failed'];

const statusesOf = ({ filter }: EvalResultsQueryDto): readonly ResultStatus[] =>
  filter?.statuses?.length ? filter.statuses : DEFAULT_STATUSES;

/** A value of a trial that rows are sorted by, as jsonb. */
function trialValue(field: string): Prisma.Sql {
  const { column, path } = parseFieldPath(field);
  const at = (json: Prisma.Sql, steps: string[]) => (steps.length ? Prisma.sql`(${json} #> ${steps}::text[])` : json);
  const isPrediction = (own: Prisma.Sql, ofSdk: Prisma.Sql) =>
    Prisma.sql`CASE WHEN ${IS_PREDICTION} THEN ${own} ELSE ${ofSdk} END`;
  if (column === 'inputs') return isPrediction(at(Prisma.sql`v.inputs`, path), at(EXAMPLE, path));
  if (column === 'output') return isPrediction(at(Prisma.sql`v.output`, path), at(OUTPUT_OF_SDK, path));
  const [name, ...steps] = path as [string, ...string[]];
  return isPrediction(at(newestScore(name), steps), at(Prisma.sql`v.output`, ['scores', ...path]));
}

const newestScore = (name: string): Prisma.Sql => Prisma.sql`(
  SELECT v.output FROM calls s CROSS JOIN LATERAL (SELECT s.project_id, s.id) c ${JOIN_VALUES}
  WHERE s.project_id = t.project_id AND s.parent_id = t.id AND s.deleted_at IS NULL AND s.started_at IS NOT NULL
    AND ${isOfKind(EVALUATION_CALLS.score, { name: [name] })}
  ORDER BY s.started_at DESC, s.id DESC LIMIT 1)`;

/**
 * Rows of evaluation runs with the ids of their trials: `"rowDigest", ids, counted, missing, "tableProject", total` (of all
 * pages): which trials count, which runs miss the row, and the project whose table has it then.
 *
 * @param projectRowId row id of the project
 */
export function resultRows(projectRowId: string, runs: readonly PlannedRun[], query: EvalResultsQueryDto): Prisma.Sql {
  const { filter, sort_by, limit, offset } = query;
  const sorts = (sort_by ?? []).filter(({ field }) => field !== 'row_digest');
  const values = sorts.map(({ field }, at) => Prisma.sql`, ${trialValue(field)} AS ${keyName(at)}`);
  const order = (sort_by ?? []).flatMap((sort) => orderBy(sort, sorts.indexOf(sort)));
  const aggregates = sorts.flatMap((sort, at) => aggregatesOf(sort, at));
  const keys = sorts.map((_, at) => keyName(at));
  const statuses = statusesOf(query);
  const conditions = [
    Prisma.sql`bool_or(status = ANY(${[...statuses]}::text[]))`,
    ...(filter?.in_all_runs ? [Prisma.sql`count(DISTINCT run) FILTER (WHERE id IS NOT NULL) = ${runs.length}`] : []),
  ];
  return Prisma.sql`
    WITH ${trialsOf(projectRowId, runs, values)},
    entry AS (
      SELECT id, run, digest, started_at, counts, has_failed, CASE WHEN row_failed THEN 'failed' ELSE 'predicted' END AS status,
        NULL::uuid AS table_project ${Prisma.join([Prisma.empty, ...keys], ', ')}
      FROM trial ${statuses.includes('missing') ? missingEntries(keys) : Prisma.empty}
    ),
    result AS (
      SELECT digest, coalesce(array_agg(id ORDER BY started_at, id) FILTER (WHERE id IS NOT NULL), '{}') AS ids,
        coalesce(array_agg(id) FILTER (WHERE id IS NOT NULL AND counts), '{}') AS counted,
        coalesce(array_agg(DISTINCT run) FILTER (WHERE id IS NULL), '{}') AS missing,
        (array_agg(table_project) FILTER (WHERE id IS NULL))[1]::text AS table_project
        ${Prisma.join([Prisma.empty, ...aggregates], ' ')}
      FROM entry WHERE ${filter?.row_digests?.length ? Prisma.sql`digest = ANY(${filter.row_digests})` : Prisma.sql`true`}
      GROUP BY digest HAVING ${Prisma.join(conditions, ' AND ')}
    )
    SELECT digest AS "rowDigest", ids, counted, missing, table_project AS "tableProject",
      (SELECT count(*) FROM result) AS total
    FROM result
    ORDER BY ${Prisma.join([...order, Prisma.sql`digest COLLATE "C" ASC`])}
    LIMIT ${limit ?? 100} OFFSET ${offset ?? 0}`;
}

const missingEntries = (keys: readonly Prisma.Sql[]): Prisma.Sql => Prisma.sql`
  UNION ALL SELECT NULL, run, digest, NULL, false, false, 'missing', table_project
    ${Prisma.join([Prisma.empty, ...keys.map(() => Prisma.sql`, NULL::jsonb`)], ' ')} FROM missing`;

/** How many rows there are on all pages. */
export const countRows = (projectRowId: string, runs: readonly PlannedRun[], query: EvalResultsQueryDto): Prisma.Sql =>
  Prisma.sql`SELECT count(*) AS total FROM (
    ${resultRows(projectRowId, runs, { ...query, sort_by: null, limit: 2_147_483_647, offset: 0 })}) r`;

const keyName = (at: number): Prisma.Sql => Prisma.raw(`k${at}`);

/** The mean of what are numbers, and the least of what is text; of inputs over all trials, else over those that count. */
function aggregatesOf({ field, evaluation_run_id }: EvalResultsSortDto, at: number): Prisma.Sql[] {
  const key = keyName(at);
  const conditions = [
    ...(field.startsWith('inputs.') ? [] : [Prisma.sql`counts AND NOT has_failed`]),
    ...(evaluation_run_id ? [Prisma.sql`run = ${evaluation_run_id}`] : []),
  ];
  const counted = conditions.length ? Prisma.sql`FILTER (WHERE ${Prisma.join(conditions, ' AND ')})` : Prisma.empty;
  const number = Prisma.sql`CASE jsonb_typeof(${key}) WHEN 'number' THEN (${key})::numeric
    WHEN 'boolean' THEN (${key})::boolean::int::numeric END`;
  const text = Prisma.sql`CASE WHEN jsonb_typeof(${key}) NOT IN ('number', 'boolean', 'null') THEN ${key} #>> '{}' END`;
  return [
    Prisma.sql`, avg(${number}) ${counted} AS ${Prisma.raw(`k${at}n`)}`,
    Prisma.sql`, min((${text}) COLLATE "C") ${counted} AS ${Prisma.raw(`k${at}t`)}`,
  ];
}

function orderBy({ field, direction }: EvalResultsSortDto, at: number): Prisma.Sql[] {
  const way = Prisma.raw(direction === 'desc' ? 'DESC' : 'ASC');
  if (field === 'row_digest') return [Prisma.sql`digest COLLATE "C" ${way}`];
  return [Prisma.raw(`k${at}n`), Prisma.raw(`k${at}t`)].map((key) => Prisma.sql`${key} ${way} NULLS LAST`);
}
