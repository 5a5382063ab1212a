import { IS_SHOWN, JOIN_VALUES, refOfCall } from '@hone/call-queries';
import { Prisma } from '@hone/database';
import { digestOf } from '@hone/evaluation-results';

import type { OwnProject } from '../access/evaluation-access.js';
import {
  type ReadLabels,
  toAnswerLines,
  toLabelLines,
  toRowLines,
  toTrialLines,
  toUsageLines,
} from './compared-lines.sql.js';
import { spentBelow } from './compared-trials.sql.js';

/** Calls that are compared as if they were a run. */
export interface CallSet {
  readonly name: string;
  readonly ids: readonly string[];
}

const RUNNABLE = 'hone.runnable.';
/** How a model is asked, beside what it is asked. */
const PARAMETERS = [
  ...['model', 'stream', 'stream_options', 'temperature', 'top_p', 'top_k', 'seed', 'user', 'metadata', 'store'],
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'reasoning_effort', 'service_tier'],
];

/** What names a row: the messages alone, else the inputs without model and parameters, of values `v`. */
const PROMPT = Prisma.sql`CASE WHEN jsonb_typeof(v.inputs) = 'object'
  THEN coalesce(v.inputs -> 'messages', v.inputs - ${PARAMETERS}::text[]) ELSE coalesce(v.inputs, 'null') END`;

/** The common table expression `member` of `project_id, run, id`: the calls of all sets. */
function members({ rowId }: OwnProject, sets: readonly CallSet[]): Prisma.Sql {
  const ids = sets.flatMap((set) => set.ids);
  const runs = sets.flatMap(({ name, ids: { length } }) => Array.from({ length }, () => name));
  return Prisma.sql`member AS (
    SELECT c.project_id, m.run, c.id FROM unnest(${ids}::text[], ${runs}::text[]) AS m (id, run)
    JOIN calls c ON c.project_id = ${rowId}::uuid AND c.id = m.id AND ${IS_SHOWN})`;
}

/** What each scorer found about `calls c` last, and the scorer that it is of. */
const scoresOf = ({ id }: OwnProject, refScheme: string): Prisma.Sql => Prisma.sql`(
  SELECT jsonb_build_object('values', jsonb_object_agg(score.name, score.value), 'scorers', jsonb_object_agg(score.name, score.scorer))
  FROM (
    SELECT DISTINCT ON (f.feedback_type) substr(f.feedback_type, ${RUNNABLE.length + 1}) AS name, f.payload_json -> 'output' AS value,
      ${`${refScheme}:///`} || f.runnable_ref AS scorer
    FROM feedback f
    WHERE f.project_id = c.project_id AND f.trace_ref = ${refOfCall(id, Prisma.sql`c.id`)}
      AND starts_with(f.feedback_type, ${RUNNABLE}) AND f.runnable_ref IS NOT NULL
    ORDER BY f.feedback_type, f.created_at DESC, f.id DESC) score)`;

/** The calls as `TrialLine`s. */
export const callLines = (project: OwnProject, sets: readonly CallSet[], refScheme: string): Prisma.Sql =>
  toTrialLines(
    Prisma.sql`${members(project, sets)}, trial AS (
      SELECT c.id, member.run, c.started_at, ${digestOf(PROMPT)} AS digest, true AS counts, c.exception IS NOT NULL AS has_failed,
        extract(epoch FROM c.ended_at - c.started_at) * 1000 AS latency_ms,
        length(coalesce(v.output #>> '{choices,0,message,content}', v.output #>> '{}')) AS length,
        ${scoresOf(project, refScheme)} AS scores
      FROM member JOIN calls c ON c.project_id = member.project_id AND c.id = member.id ${JOIN_VALUES})`,
    sets.map(({ name }) => name),
  );

/** What the calls and those below them used, as `UsageLine`s. */
export const callUsageLines = (project: OwnProject, sets: readonly CallSet[], changes: readonly Date[]): Prisma.Sql =>
  toUsageLines(
    Prisma.sql`RECURSIVE ${members(project, sets)},
      ${spentBelow(Prisma.sql`SELECT project_id, id AS trial, id, 0 AS depth FROM member`)}`,
    changes,
  );

/** The inputs of the first call of each row as `RowLine`s. @param conditions on `r.inputs` */
export const callRowLines = (
  project: OwnProject,
  sets: readonly CallSet[],
  conditions: readonly Prisma.Sql[],
): Prisma.Sql => Prisma.sql`
  WITH ${members(project, sets)}, first AS (
    SELECT DISTINCT ON (1) ${digestOf(PROMPT)} AS digest, v.inputs
    FROM member JOIN calls c ON c.project_id = member.project_id AND c.id = member.id ${JOIN_VALUES}
    ORDER BY 1, c.started_at, c.id)
  ${toRowLines(Prisma.sql`SELECT digest, inputs FROM first`, conditions)}`;

/** What the calls were asked and answered, as `AnswerLine`s. */
export const callAnswerLines = (project: OwnProject, sets: readonly CallSet[]): Prisma.Sql =>
  toAnswerLines(Prisma.sql`${members(project, sets)}, answer AS (
    SELECT c.id, v.inputs, v.output FROM member
    JOIN calls c ON c.project_id = member.project_id AND c.id = member.id ${JOIN_VALUES})`);

/** The newest label of each call as `LabelLine`s. */
export const callLabelLines = (project: OwnProject, sets: readonly CallSet[], labels: ReadLabels): Prisma.Sql =>
  toLabelLines(Prisma.sql`${members(project, sets)}, labelled AS (SELECT id AS trial, id AS call FROM member)`, labels);
