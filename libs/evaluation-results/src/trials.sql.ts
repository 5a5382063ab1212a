import { IS_SHOWN, JOIN_VALUES } from '@hone/call-queries';
import { EVALUATION_CALLS } from '@hone/calls';
import { Prisma } from '@hone/database';

import { isOfKind } from './call-kinds.sql.js';
import type { PlannedRun } from './run-plan.js';

/** The calls in which tracing SDKs predict and score one row. */
const SDK_TRIAL = '/op/Evaluation[.]predict(?:_and_score|AndScore):';

export const IS_PREDICTION = Prisma.sql`coalesce(${isOfKind(EVALUATION_CALLS.prediction)}, false)`;
/**
 * What tells rows apart where nothing names a digest. It equals the content digest where jsonb prints a value as Python
 * does, which it mostly does for ASCII keys of one length.
 */
export const digestOf = (json: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`translate(rtrim(encode(sha256(convert_to((${json})::text, 'UTF8')), 'base64'), '='), '+/', 'XY')`;
export const EXAMPLE = Prisma.sql`v.inputs -> 'example'`;
/** What the model answered. Some SDKs call it otherwise. */
export const OUTPUT_OF_SDK = Prisma.sql`coalesce(v.output -> 'output', v.output -> 'model_output')`;
const ROW_DIGEST = Prisma.sql`CASE
  WHEN ${IS_PREDICTION} THEN coalesce(v.attributes #>> '{hone,row_digest}', ${digestOf(Prisma.sql`v.inputs`)})
  WHEN jsonb_typeof(${EXAMPLE}) = 'string' THEN coalesce(substring(v.inputs ->> 'example' FROM ':///.*/id/([^/]+)$'),
    ${digestOf(EXAMPLE)})
  ELSE ${digestOf(Prisma.sql`coalesce(${EXAMPLE}, v.inputs)`)} END`;

/** Whether the digest is that of a dataset's row: of what an SDK sent whole it may be another one. */
const NAMES_ROW = Prisma.sql`coalesce(${IS_PREDICTION} OR v.inputs ->> 'example' ~ ':///.*/id/[^/]+$', false)`;

/**
 * Whether a call that a trial of an SDK made is a scorer's. Weave's `EvaluationLogger` means to mark them, and does not mark
 * one that it ends with an exception; that is known by what it is asked: about the output and the inputs of the model.
 */
export const IS_SDK_SCORER = Prisma.sql`(coalesce(v.attributes #>> '{_weave_eval_meta,score}' = 'true', false)
  OR coalesce(jsonb_exists_all(v.inputs, ARRAY['self', 'output', 'inputs']), false))`;

/**
 * Calls `c` that explain why trials `t` of SDKs failed: `exception`, and whether a scorer raised it. Weave's `Evaluation`
 * catches what a model raises: only the model's call below the trial has it. Its `EvaluationLogger` catches what is raised
 * while a prediction is made: the call that the prediction made has it, and the prediction answered nothing.
 */
const SDK_FAILURES = Prisma.sql`
  SELECT c.id, c.op_name, c.started_at, ${IS_SDK_SCORER} AS is_scorer, coalesce(c.exception, (
    SELECT g.exception FROM calls g WHERE g.project_id = c.project_id AND g.parent_id = c.id AND g.exception IS NOT NULL
      AND g.deleted_at IS NULL AND g.started_at IS NOT NULL AND coalesce(v.output, 'null') = 'null'
    ORDER BY g.started_at DESC, g.id DESC LIMIT 1)) AS exception
  FROM calls c ${JOIN_VALUES}
  WHERE c.project_id = t.project_id AND c.parent_id = t.id AND ${IS_SHOWN}
    AND (c.exception IS NOT NULL OR c.has_descendant_error OR c.has_failed_descendant)`;

/** Why the calls `t` of SDKs, which have no exception, failed: `trial, "opName", "isScorer", exception`. */
export const sdkFailures = (projectRowId: string, ids: string[]): Prisma.Sql => Prisma.sql`
  SELECT t.id AS trial, f.op_name AS "opName", f.is_scorer AS "isScorer", f.exception
  FROM calls t CROSS JOIN LATERAL (${SDK_FAILURES}) f
  WHERE t.project_id = ${projectRowId}::uuid AND t.id = ANY(${ids}) AND t.has_failed_descendant AND f.exception IS NOT NULL
  ORDER BY f.started_at, f.id`;

const HAS_FAILED = Prisma.sql`(t.exception IS NOT NULL OR (t.has_failed_descendant AND NOT ${IS_PREDICTION} AND EXISTS (
  SELECT 1 FROM (${SDK_FAILURES}) f WHERE f.exception IS NOT NULL AND NOT f.is_scorer)))`;

/**
 * The common table expressions `plan`, `trial` and `missing`: the runs, their predictions, and the rows that they miss.
 * A trial has `id, run, digest, started_at, has_failed, counts`, and whether its row failed. Values of the dataset's rows
 * are not read. A run whose predictions do not name rows of the dataset misses none: nobody knows.
 *
 * @param values of each trial to select beside, each led by a comma
 */
export function trialsOf(projectRowId: string, runs: readonly PlannedRun[], values: Prisma.Sql[] = []): Prisma.Sql {
  const ids = runs.map(({ id }) => id);
  return Prisma.sql`
    plan AS (
      SELECT * FROM unnest(${ids}::text[], ${runs.map(({ trials }) => trials)}::int[],
        ${runs.map(({ table }) => table?.projectRowId ?? null)}::uuid[],
        ${runs.map(({ table }) => table?.digest ?? null)}::text[]) AS p (run, trials, table_project, table_digest)
    ),
    found AS (
      SELECT t.id, t.parent_id AS run, t.started_at, ${ROW_DIGEST} AS digest, ${HAS_FAILED} AS has_failed,
        ${NAMES_ROW} AS names_row
        ${Prisma.join([Prisma.empty, ...values], ' ')}
      FROM calls t CROSS JOIN LATERAL (SELECT t.project_id, t.id) c ${JOIN_VALUES}
      WHERE t.project_id = ${projectRowId}::uuid AND t.parent_id = ANY(${ids})
        AND t.deleted_at IS NULL AND t.started_at IS NOT NULL
        AND (t.op_name ~ ${SDK_TRIAL} OR ${IS_PREDICTION})
    ),
    ranked AS (
      SELECT f.*, row_number() OVER (PARTITION BY f.run, f.digest ORDER BY f.started_at DESC, f.id DESC) AS age FROM found f
    ),
    judged AS (
      SELECT r.*, CASE WHEN p.trials IS NULL THEN NOT r.has_failed OR r.age = 1
        ELSE row_number() OVER (PARTITION BY r.run, r.digest ORDER BY r.has_failed AND r.age > 1, r.age) <= p.trials END AS counts
      FROM ranked r JOIN plan p ON p.run = r.run
    ),
    trial AS (
      SELECT j.*, bool_or(j.has_failed AND j.counts) OVER (PARTITION BY j.run, j.digest) AS row_failed FROM judged j
    ),
    missing AS (
      SELECT DISTINCT p.run, u.digest, p.table_project FROM plan p
      JOIN table_chunks d ON d.project_id = p.table_project AND d.digest = p.table_digest
      CROSS JOIN LATERAL unnest(d.row_digests) AS u (digest)
      WHERE NOT EXISTS (SELECT 1 FROM found f WHERE f.run = p.run AND f.digest = u.digest)
        AND p.run NOT IN (SELECT run FROM found WHERE NOT names_row)
    )`;
}
