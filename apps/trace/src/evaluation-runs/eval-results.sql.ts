import { JOIN_VALUES, parseFieldPath } from '@hone/call-queries';
import type { EvalResultsQueryDto, EvalResultsSortDto } from '@hone/contracts';
import { Prisma } from '@hone/database';

import { isOfKind } from './tracked-call.sql.js';
import { PREDICTION, SCORE } from './tracked-kinds.js';

/** The calls in which tracing SDKs predict and score one row. */
export const SDK_TRIAL = '/op/Evaluation[.]predict(?:_and_score|AndScore):';

const IS_PREDICTION = Prisma.sql`coalesce(${isOfKind(PREDICTION)}, false)`;
/**
 * What tells rows apart where nothing names a digest. It equals the content digest where jsonb prints a value as Python
 * does, which it mostly does for ASCII keys of one length.
 */
const digestOf = (json: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`translate(rtrim(encode(sha256(convert_to((${json})::text, 'UTF8')), 'base64'), '='), '+/', 'XY')`;
const EXAMPLE = Prisma.sql`v.inputs -> 'example'`;
const ROW_DIGEST = Prisma.sql`CASE
  WHEN ${IS_PREDICTION} THEN coalesce(v.attributes #>> '{hone,row_digest}', ${digestOf(Prisma.sql`v.inputs`)})
  WHEN jsonb_typeof(${EXAMPLE}) = 'string' THEN coalesce(substring(v.inputs ->> 'example' FROM ':///.*/id/([^/]+)$'),
    ${digestOf(EXAMPLE)})
  ELSE ${digestOf(Prisma.sql`coalesce(${EXAMPLE}, v.inputs)`)} END`;

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

/** Some SDKs call it otherwise. */
const OUTPUT_OF_SDK = Prisma.sql`coalesce(v.output -> 'output', v.output -> 'model_output')`;

const newestScore = (name: string): Prisma.Sql => Prisma.sql`(
  SELECT v.output FROM calls s CROSS JOIN LATERAL (SELECT s.project_id, s.id) c ${JOIN_VALUES}
  WHERE s.project_id = t.project_id AND s.parent_id = t.id AND s.deleted_at IS NULL AND s.started_at IS NOT NULL
    AND ${isOfKind(SCORE, { name: [name] })}
  ORDER BY s.started_at DESC, s.id DESC LIMIT 1)`;

/**
 * Rows of evaluation runs with the ids of their trials: `"rowDigest", ids, total` (of all pages).
 *
 * @param projectRowId row id of the project
 */
export function resultRows(projectRowId: string, query: EvalResultsQueryDto): Prisma.Sql {
  const { filter, sort_by, limit, offset } = query;
  const runs = [...new Set(query.evaluation_run_ids)];
  const sorts = (sort_by ?? []).filter(({ field }) => field !== 'row_digest');
  const values = sorts.map(({ field }, at) => Prisma.sql`, ${trialValue(field)} AS ${keyName(at)}`);
  const order = (sort_by ?? []).flatMap((sort) => orderBy(sort, sorts.indexOf(sort)));
  const aggregates = sorts.flatMap((sort, at) => aggregatesOf(sort, at));
  return Prisma.sql`
    WITH trial AS (
      SELECT t.id, t.parent_id AS run, t.started_at, ${ROW_DIGEST} AS digest ${Prisma.join([Prisma.empty, ...values], ' ')}
      FROM calls t CROSS JOIN LATERAL (SELECT t.project_id, t.id) c ${JOIN_VALUES}
      WHERE t.project_id = ${projectRowId}::uuid AND t.parent_id = ANY(${runs})
        AND t.deleted_at IS NULL AND t.started_at IS NOT NULL
        AND (t.op_name ~ ${SDK_TRIAL} OR ${IS_PREDICTION})
    ),
    result AS (
      SELECT digest, array_agg(id ORDER BY started_at, id) AS ids ${Prisma.join([Prisma.empty, ...aggregates], ' ')}
      FROM trial WHERE ${filter?.row_digests?.length ? Prisma.sql`digest = ANY(${filter.row_digests})` : Prisma.sql`true`}
      GROUP BY digest
      HAVING ${filter?.in_all_runs ? Prisma.sql`count(DISTINCT run) = ${runs.length}` : Prisma.sql`true`}
    )
    SELECT digest AS "rowDigest", ids, (SELECT count(*) FROM result) AS total FROM result
    ORDER BY ${Prisma.join([...order, Prisma.sql`digest COLLATE "C" ASC`])}
    LIMIT ${limit ?? 100} OFFSET ${offset ?? 0}`;
}

/** How many rows there are on all pages. */
export const countRows = (projectRowId: string, query: EvalResultsQueryDto): Prisma.Sql =>
  Prisma.sql`SELECT count(*) AS total FROM (${resultRows(projectRowId, { ...query, sort_by: null, limit: 2_147_483_647, offset: 0 })}) r`;

const keyName = (at: number): Prisma.Sql => Prisma.raw(`k${at}`);

/** The mean of what are numbers, and the least of what is text. */
function aggregatesOf({ evaluation_run_id }: EvalResultsSortDto, at: number): Prisma.Sql[] {
  const key = keyName(at);
  const counted = evaluation_run_id ? Prisma.sql`FILTER (WHERE run = ${evaluation_run_id})` : Prisma.empty;
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
