import { IS_SHOWN, JOIN_VALUES } from '@hone/call-queries';
import { EVALUATION_CALLS } from '@hone/calls';
import { Prisma } from '@hone/database';
import {
  EXAMPLE,
  IS_PREDICTION,
  IS_SDK_SCORER,
  isOfKind,
  OUTPUT_OF_SDK,
  type PlannedRun,
  trialsOf,
} from '@hone/evaluation-results';

import { ASKED_CALL } from '../judged-calls/asked-call.sql.js';
import { IS_NO_JUDGES_CALL } from '../judged-calls/own-users.sql.js';
import {
  type ReadLabels,
  toAnswerLines,
  toLabelLines,
  toRowLines,
  toTrialLines,
  toUsageLines,
} from './compared-lines.sql.js';

/** Levels of calls below a prediction. */
const MAX_DEPTH = 16;

/** The newest score of each name, and the scorer that it is of. */
const SCORES = Prisma.sql`(
  SELECT jsonb_build_object('values', jsonb_object_agg(score.name, score.value), 'scorers', jsonb_object_agg(score.name, score.scorer))
  FROM (
    SELECT DISTINCT ON (1) coalesce(v.attributes #>> '{hone,name}', v.attributes #>> '{hone,scorer}', s.id) AS name,
      CASE WHEN s.exception IS NULL THEN v.output END AS value, v.attributes #>> '{hone,scorer}' AS scorer
    FROM calls s CROSS JOIN LATERAL (SELECT s.project_id, s.id) c ${JOIN_VALUES}
    WHERE s.project_id = t.project_id AND s.parent_id = t.id AND s.deleted_at IS NULL AND s.started_at IS NOT NULL
      AND ${isOfKind(EVALUATION_CALLS.score)}
    ORDER BY 1, s.started_at DESC, s.id DESC) score)`;

/** Scores as SDKs store them: nobody knows whose they are. */
const SCORES_OF_SDK = Prisma.sql`jsonb_build_object('values', v.output -> 'scores', 'scorers', CASE
  WHEN jsonb_typeof(v.output -> 'scores') = 'object' THEN (SELECT jsonb_object_agg(name, NULL) FROM jsonb_object_keys(v.output -> 'scores') name) END)`;

const OUTPUT = Prisma.sql`(CASE WHEN ${IS_PREDICTION} THEN v.output ELSE ${OUTPUT_OF_SDK} END)`;

/** Milliseconds of the model: SDKs say it, whose trial lasts until its scorers are done. */
const LATENCY_MS = Prisma.sql`(CASE WHEN NOT ${IS_PREDICTION} AND jsonb_typeof(v.output -> 'model_latency') = 'number'
  THEN (v.output -> 'model_latency')::numeric ELSE extract(epoch FROM t.ended_at - t.started_at) END * 1000)`;

const VALUES: Prisma.Sql[] = [
  Prisma.sql`, CASE WHEN ${IS_PREDICTION} THEN ${SCORES} ELSE ${SCORES_OF_SDK} END AS scores`,
  Prisma.sql`, ${LATENCY_MS} AS latency_ms`,
  Prisma.sql`, length(coalesce(${OUTPUT} #>> '{choices,0,message,content}', ${OUTPUT} #>> '{}')) AS length`,
];

/** The predictions of runs as `TrialLine`s: see {@link toTrialLines}. */
export const trialLines = (projectRowId: string, runs: readonly PlannedRun[]): Prisma.Sql =>
  toTrialLines(
    trialsOf(projectRowId, runs, VALUES),
    runs.map(({ id }) => id),
  );

/**
 * Common table expressions, of which `spent` says which calls are of which trial: it and those below, scorers' and judges' left
 * out. A prediction that the server has made names the call in which its candidate was asked.
 *
 * @param trials a query of `project_id, trial, id, depth`, depth 0
 */
export const spentBelow = (trials: Prisma.Sql): Prisma.Sql => Prisma.sql`tree AS (
    ${trials}
    UNION ALL
    SELECT c.project_id, tree.trial, c.id, tree.depth + 1
    FROM tree JOIN calls c ON c.project_id = tree.project_id AND c.parent_id = tree.id
    WHERE ${IS_SHOWN} AND tree.depth < ${MAX_DEPTH} AND ${IS_NO_JUDGES_CALL} AND NOT (tree.depth = 0 AND EXISTS (
      SELECT FROM (SELECT c.project_id, c.id) c ${JOIN_VALUES} WHERE coalesce(${isOfKind(EVALUATION_CALLS.score)}, false) OR ${IS_SDK_SCORER}))
  ), spent AS (
    SELECT project_id, trial, id FROM tree
    UNION SELECT c.project_id, c.trial, ${ASKED_CALL} FROM tree c ${JOIN_VALUES} WHERE c.depth = 0
  )`;

/**
 * What the calls of each prediction used, as `UsageLine`s. A prediction's own summary counts unless it sums those of the calls
 * below.
 */
export const usageLines = (projectRowId: string, runIds: readonly string[], changes: readonly Date[]): Prisma.Sql => {
  const trials = Prisma.sql`SELECT c.project_id, c.id AS trial, c.id, 0 AS depth FROM calls c
    WHERE c.project_id = ${projectRowId}::uuid AND c.parent_id = ANY(${[...runIds]}) AND ${IS_SHOWN}`;
  return toUsageLines(Prisma.sql`RECURSIVE ${spentBelow(trials)}`, changes);
};

/** The row itself, where a prediction has it; what names a dataset's row has it in the dataset. */
const ROW = Prisma.sql`CASE WHEN ${IS_PREDICTION} THEN v.inputs WHEN jsonb_typeof(${EXAMPLE}) = 'string' THEN NULL
  ELSE coalesce(${EXAMPLE}, v.inputs) END`;

/**
 * The rows of runs as `RowLine`s: of a dataset whole, else as the first prediction has it.
 *
 * @param conditions on `r.inputs`
 */
export const rowLines = (
  projectRowId: string,
  runs: readonly PlannedRun[],
  conditions: readonly Prisma.Sql[],
): Prisma.Sql => Prisma.sql`
  WITH ${trialsOf(projectRowId, runs, [Prisma.sql`, ${ROW} AS sent`])},
  first AS (
    SELECT DISTINCT ON (t.digest) t.digest, t.sent, p.table_project FROM trial t JOIN plan p ON p.run = t.run
    ORDER BY t.digest, p.table_project IS NULL, t.started_at, t.id
  )
  ${toRowLines(
    Prisma.sql`SELECT first.digest, coalesce((
      SELECT coalesce(d.val_json, d.val_text::jsonb) FROM table_rows d
      WHERE d.project_id IN (first.table_project, ${projectRowId}::uuid) AND d.digest = first.digest LIMIT 1), first.sent) AS inputs FROM first`,
    conditions,
  )}`;

/** What the predictions of runs say, as `AnswerLine`s. */
export const answerLines = (projectRowId: string, runs: readonly PlannedRun[]): Prisma.Sql =>
  toAnswerLines(Prisma.sql`${trialsOf(projectRowId, runs, [Prisma.sql`, ${ROW} AS inputs, ${OUTPUT} AS output`])},
    answer AS (SELECT id, inputs, output FROM trial WHERE counts)`);

/** The newest label of each prediction, or of a call right below it, as `LabelLine`s. */
export const labelLines = (labels: ReadLabels, runIds: readonly string[]): Prisma.Sql =>
  toLabelLines(
    Prisma.sql`trial AS (
    SELECT c.project_id, c.id FROM calls c
    WHERE c.project_id = ${labels.projectRowId}::uuid AND c.parent_id = ANY(${[...runIds]}) AND ${IS_SHOWN}
  ),
  labelled AS (
    SELECT t.id AS trial, t.id AS call FROM trial t
    UNION ALL
    SELECT t.id, c.id FROM trial t JOIN calls c ON c.project_id = t.project_id AND c.parent_id = t.id WHERE ${IS_SHOWN}
  )`,
    labels,
  );
