import { IS_SHOWN, refOfCall } from '@hone/call-queries';
import { MODEL_TOKENS } from '@hone/calls';
import { Prisma } from '@hone/database';

/** Predictions, or what else a line is, in one text. */
const LINES_PER_CHUNK = 100;
/** Longer scores of one prediction are none. */
const MAX_SCORES_BYTES = 262_144;

/** Texts of lines, at most {@link LINES_PER_CHUNK} in each. @param lines a query of `n, body` */
const inChunks = (lines: Prisma.Sql, others = Prisma.empty): Prisma.Sql => Prisma.sql`
  SELECT '[' || string_agg(line.body, ',' ORDER BY line.n) || ']' AS text ${others}
  FROM (${lines}) line GROUP BY (line.n - 1) / ${LINES_PER_CHUNK} ORDER BY min(line.n)`;

/**
 * `text`, a list of `TrialLine`s, and `scorers`: different maps of a score's name to its scorer, or to null where nobody knows it.
 *
 * @param trials common table expressions, of which `trial` has `id, run, digest, started_at, counts, has_failed, latency_ms, length`
 *   and `scores`, null or an object of `values` and `scorers` by name
 * @param runs what is compared, in its order
 */
export function toTrialLines(trials: Prisma.Sql, runs: readonly string[]): Prisma.Sql {
  const ofScores = (field: 'values' | 'scorers') =>
    Prisma.sql`CASE WHEN octet_length((t.scores -> 'values')::text) <= ${MAX_SCORES_BYTES} THEN t.scores -> ${field}::text END`;
  // Without the offset the scores would be read again for each of their parts.
  const lines = Prisma.sql`
    SELECT row_number() OVER (ORDER BY t.started_at, t.id) AS n, ${ofScores('scorers')} AS scorers,
      jsonb_build_array(t.id, array_position(${[...runs]}::text[], t.run) - 1, t.digest, t.counts, t.has_failed, t.latency_ms, t.length,
        ${ofScores('values')})::text AS body
    FROM (SELECT * FROM trial OFFSET 0) t`;
  const scorers = Prisma.sql`, (jsonb_agg(DISTINCT line.scorers) FILTER (WHERE line.scorers IS NOT NULL))::text AS scorers`;
  return Prisma.sql`WITH ${trials} ${inChunks(lines, scorers)}`;
}

/**
 * Texts of `UsageLine`s.
 *
 * @param calls common table expressions, of which `spent` has `project_id, trial, id`: which call is of which trial
 * @param changes when prices change: a line is of one price
 */
export const toUsageLines = (calls: Prisma.Sql, changes: readonly Date[]): Prisma.Sql =>
  Prisma.sql`WITH ${calls} ${inChunks(Prisma.sql`
    SELECT row_number() OVER () AS n, jsonb_build_array(used.trial, used.model, extract(epoch FROM used.started_at) * 1000,
      used.requests, used.prompt, used.completion, used.total, used.cached, used.written, used.reasoning)::text AS body
    FROM (
      SELECT spent.trial, u.model, min(c.started_at) AS started_at, coalesce(sum(u.requests), 0) AS requests,
        coalesce(sum(u.prompt), 0) AS prompt, coalesce(sum(u.completion), 0) AS completion, coalesce(sum(u.total), 0) AS total,
        sum(u.cached) AS cached, sum(u.written) AS written, sum(u.reasoning) AS reasoning
      FROM spent JOIN calls c ON c.project_id = spent.project_id AND c.id = spent.id AND ${IS_SHOWN}
        CROSS JOIN LATERAL ${MODEL_TOKENS} u
      GROUP BY spent.trial, u.model, width_bucket(c.started_at, ${[...changes]}::timestamptz[])
    ) used`)}`;

/** Texts of `RowLine`s. @param rows a query of `digest, inputs`. @param conditions on `r.inputs` */
export const toRowLines = (rows: Prisma.Sql, conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  inChunks(Prisma.sql`
    SELECT row_number() OVER () AS n, jsonb_build_array(r.digest, ${Prisma.join(
      conditions.map((condition) => Prisma.sql`coalesce(${condition}, false)`),
    )})::text AS body FROM (${rows}) r`);

/** Characters of an answer, and of what was asked, whose form is looked at. */
const MAX_ANSWER = 2_048;

/** Members of a row that say what was asked, as calls have it; and those that say what is expected, which no answer copies from the question. */
const ASKED = ['prompt', 'question', 'query', 'input', 'text', 'message', 'content'];
const EXPECTED = [
  ...['expected', 'expected_output', 'expected_answer', 'answer', 'output', 'target', 'reference', 'label', 'ideal'],
  'ground_truth',
];

/** What was asked, of `a.inputs`: the last message, else the text that asks, else all but what is expected. */
const QUESTION = Prisma.sql`coalesce(a.inputs #>> '{messages,-1,content}', a.inputs #>> '{inputs,messages,-1,content}',
  ${Prisma.join(ASKED.map((name) => Prisma.sql`CASE jsonb_typeof(a.inputs -> ${name}::text) WHEN 'string' THEN a.inputs ->> ${name}::text END`))},
  CASE jsonb_typeof(a.inputs) WHEN 'object' THEN (a.inputs - ${EXPECTED}::text[])::text ELSE a.inputs #>> '{}' END, '')`;

/** Texts of `AnswerLine`s. @param trials common table expressions, of which `answer` has `id, inputs, output`, both jsonb */
export const toAnswerLines = (trials: Prisma.Sql): Prisma.Sql => Prisma.sql`
  WITH ${trials} ${inChunks(Prisma.sql`
    SELECT row_number() OVER () AS n, jsonb_build_array(a.id,
      left(coalesce(a.output #>> '{choices,0,message,content}', a.output #>> '{}', ''), ${MAX_ANSWER}::int),
      left(${QUESTION}, ${MAX_ANSWER}::int))::text AS body
    FROM answer a`)}`;

/** Labels of people that a comparison reads. */
export interface ReadLabels {
  readonly projectId: string;
  readonly projectRowId: string;
  /** Index among the truths. */
  readonly truth: number;
  readonly feedbackType: string;
  /** Of `feedback f`. */
  readonly label: Prisma.Sql;
}

/** Texts of `LabelLine`s. @param calls common table expressions, of which `labelled` has `trial, call`: which call's labels are a trial's */
export const toLabelLines = (
  calls: Prisma.Sql,
  { projectId, projectRowId, truth, feedbackType, label }: ReadLabels,
): Prisma.Sql => Prisma.sql`
  WITH ${calls}
  ${inChunks(Prisma.sql`
    SELECT row_number() OVER () AS n, jsonb_build_array(${truth}::int, newest.trial, newest.label)::text AS body
    FROM (
      SELECT labelled.trial, (array_agg(${label} ORDER BY f.created_at DESC, f.id DESC))[1] AS label
      FROM labelled JOIN feedback f ON f.trace_ref = ${refOfCall(projectId, Prisma.sql`labelled.call`)}
      WHERE f.project_id = ${projectRowId}::uuid AND f.feedback_type = ${feedbackType} AND f.runnable_ref IS NULL
      GROUP BY labelled.trial
    ) newest WHERE newest.label IS NOT NULL`)}`;
