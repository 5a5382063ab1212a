import type { CallSelection } from '@hone/call-queries';
import type { JudgeTruthDto } from '@hone/contracts';
import { Prisma } from '@hone/database';

import { boundsOf, type Criterion, pathOf } from './criterion.js';
import { labelOf } from './label.sql.js';

/** A larger number is no spread of votes. */
const MAX_SPREAD = 1e12;

/** Whose verdicts on what are read. */
export interface VerdictSource {
  readonly scorerId: string;
  /** `<entity>/<project>/object/<id>:<digest>`. */
  readonly runnableRef: string;
  readonly criterion: Criterion;
  readonly truth: JudgeTruthDto | null;
}

/** The judged calls by their keys, whatever the planner thinks of how many there are: `OFFSET 0` fences it. */
export const callsOf = (projectRowId: string): Prisma.Sql => Prisma.sql`judged CROSS JOIN LATERAL (
  SELECT * FROM calls WHERE project_id = ${projectRowId}::uuid AND id = judged.call_id OFFSET 0) c`;

/**
 * The newest judgement of each call, which is a number of the criterion's scale, with the spread of its votes, and the newest
 * label, if there is one.
 */
export function judgedOf(
  selection: CallSelection,
  { scorerId, runnableRef, criterion, truth }: VerdictSource,
): Prisma.Sql {
  const { projectId, projectRowId } = selection;
  const prefix = `${projectId}/call/`;
  const recordsOf = (columns: Prisma.Sql, condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT f.trace_ref, f.created_at, f.id, ${columns} FROM feedback f
    WHERE f.project_id = ${projectRowId}::uuid AND starts_with(f.trace_ref, ${prefix}) AND ${condition}`;
  const verdicts = recordsOf(
    Prisma.sql`true AS is_verdict, ${verdictOf(criterion)} AS verdict, ${spreadOf(criterion)} AS spread, NULL::text AS label`,
    Prisma.sql`f.feedback_type = ${`hone.runnable.${scorerId}`} AND f.runnable_ref = ${runnableRef}`,
  );
  const labels = truth
    ? Prisma.sql`UNION ALL ${recordsOf(
        Prisma.sql`false, NULL::float8, NULL::float8, ${labelOf(truth)}`,
        Prisma.sql`f.feedback_type = ${truth.feedback_type} AND f.runnable_ref IS NULL`,
      )}`
    : Prisma.empty;
  return Prisma.sql`SELECT * FROM (
    SELECT substr(trace_ref, length(${prefix}) + 1) AS call_id, bool_or(NOT is_verdict) AS has_labels,
      (array_agg(id ORDER BY created_at DESC, id DESC) FILTER (WHERE is_verdict))[1] AS id,
      (array_agg(verdict ORDER BY created_at DESC, id DESC) FILTER (WHERE is_verdict))[1] AS verdict,
      (array_agg(spread ORDER BY created_at DESC, id DESC) FILTER (WHERE is_verdict))[1] AS spread,
      (array_agg(label ORDER BY created_at DESC, id DESC) FILTER (WHERE NOT is_verdict))[1] AS label
    FROM (${verdicts} ${labels}) records GROUP BY trace_ref) newest WHERE verdict IS NOT NULL`;
}

function verdictOf(criterion: Criterion): Prisma.Sql {
  if (criterion.isTag) return Prisma.sql`(${criterion.name} = ANY(f.scorer_tags))::int::float8`;
  const [min, max] = boundsOf(criterion);
  const found = Prisma.sql`(f.payload_json #> ${pathOf(criterion)}::text[])`;
  const flag = criterion.isOpen
    ? Prisma.sql`WHEN jsonb_typeof(${found}) = 'boolean' THEN ${found}::boolean::int::float8`
    : Prisma.empty;
  return Prisma.sql`CASE ${flag} WHEN jsonb_typeof(${found}) = 'number' THEN
    CASE WHEN ${found}::numeric BETWEEN ${min}::float8::numeric AND ${max}::float8::numeric THEN ${found}::float8 END END`;
}

/** How far votes about the criterion lie apart; null: there was one. */
function spreadOf({ name }: Criterion): Prisma.Sql {
  const found = Prisma.sql`(f.payload_json #> ${['output', 'spread', name]}::text[])`;
  return Prisma.sql`CASE WHEN jsonb_typeof(${found}) = 'number' THEN
    CASE WHEN ${found}::numeric BETWEEN 0 AND ${MAX_SPREAD}::float8::numeric THEN ${found}::float8 END END`;
}

/** Draws of each call that a label queue for the truth could draw, and those of them that did. */
export function drawsOf(projectRowId: string, { truth }: VerdictSource): Prisma.Sql {
  const draw = Prisma.sql`jsonb_build_object('queueId', d.queue_id, 'seed', q.seed, 'chance', d.chance, 'isDrawn', d.is_drawn,
    'isKnown', d.is_known)`;
  return Prisma.sql`
    SELECT d.call_id, jsonb_agg(${draw} ORDER BY d.queue_id) AS of_call,
      coalesce(jsonb_agg(${draw} - 'chance' ORDER BY d.queue_id) FILTER (WHERE d.is_drawn), '[]') AS that_drew
    FROM label_queues q JOIN label_draws d ON d.project_id = q.project_id AND d.queue_id = q.queue_id
    WHERE q.project_id = ${projectRowId}::uuid AND q.feedback_type = ${truth?.feedback_type ?? null} GROUP BY d.call_id`;
}
