import { type CallSelection, fromSelection } from '@hone/call-queries';
import type { JudgeTruthDto } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { NO_VALUES } from '@hone/statistics';
import { Injectable } from '@nestjs/common';

import { boundsOf, type Criterion } from './criterion.js';
import { labelOf } from './label.sql.js';
import type { FoundVerdicts, VerdictGroup } from './verdict-groups.js';

/** Calls of each group that are named; a report names no more in all. */
export const MAX_NAMED = 20;
const MAX_REASON = 1_024;

/** Whose verdicts on what are read. */
export interface VerdictSource {
  readonly scorerId: string;
  /** `<entity>/<project>/object/<id>:<digest>`. */
  readonly runnableRef: string;
  readonly criterion: Criterion;
  readonly truth: JudgeTruthDto | null;
}

interface GroupRow {
  label: string | null;
  judge: number | null;
  calls: number;
  mean: number;
  variance: number;
  isBinary: boolean;
  unread: number;
  callIds: string[] | null;
  feedbackIds: string[] | null;
}

/** Verdicts of scorers beside people's labels of the same calls. Both are feedback: the newest of a call counts. */
@Injectable()
export class VerdictGroupsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Calls with a label are grouped by label and verdict, the others summed up: what is read is small, however many calls
   * there are. One statement, so that each call counts once whatever is stored meanwhile.
   *
   * @param limit of groups, beyond which they are cut
   */
  async find(selection: CallSelection, source: VerdictSource, limit: number): Promise<FoundVerdicts> {
    const rows = await this.database.client.$queryRaw<GroupRow[]>`
      WITH judged AS MATERIALIZED (${judgedOf(selection, source)})
      SELECT judged.label, CASE WHEN judged.label IS NOT NULL THEN judged.verdict END AS judge, count(*)::int AS calls,
        avg(judged.verdict) AS mean, coalesce(var_samp(judged.verdict), 0) AS variance,
        bool_and(judged.verdict IN (0, 1)) AS "isBinary",
        (count(*) FILTER (WHERE judged.label IS NULL AND judged.has_labels))::int AS unread,
        (array_agg(c.id ORDER BY c.id) FILTER (WHERE judged.label IS NOT NULL))[1:${MAX_NAMED}::int] AS "callIds",
        (array_agg(judged.id ORDER BY c.id) FILTER (WHERE judged.label IS NOT NULL))[1:${MAX_NAMED}::int] AS "feedbackIds"
      ${fromSelection(selection, Prisma.empty, callsOf(selection.projectRowId))}
      GROUP BY 1, 2 ORDER BY 1 NULLS FIRST, 2 LIMIT ${limit + 1}`;
    const rest = rows.find(({ label }) => label === null);
    return {
      groups: rows.filter(({ label }) => label !== null).map(toGroup),
      others: rest ? { count: rest.calls, mean: rest.mean, variance: rest.variance } : NO_VALUES,
      othersAreBinary: rest?.isBinary ?? true,
      unread: rest?.unread ?? 0,
    };
  }

  /** Id of feedback -> why, in its judge's words. */
  async reasons(projectRowId: string, feedbackIds: readonly string[]): Promise<Map<string, string | null>> {
    const rows = await this.database.client.$queryRaw<{ id: string; reason: string | null }[]>`
      SELECT id, left(payload_json #>> '{output,reason}', ${MAX_REASON}::int) AS reason FROM feedback
      WHERE project_id = ${projectRowId}::uuid AND id = ANY(${[...feedbackIds]})`;
    return new Map(rows.map(({ id, reason }) => [id, reason]));
  }
}

function toGroup({ label, judge, calls, callIds, feedbackIds }: GroupRow): VerdictGroup {
  return {
    ...{ label: label as string, judge: judge as number, calls },
    ...{ callIds: callIds as string[], feedbackIds: feedbackIds as string[] },
  };
}

/** The judged calls by their keys, whatever the planner thinks of how many there are: `OFFSET 0` fences it. */
const callsOf = (projectRowId: string): Prisma.Sql => Prisma.sql`judged CROSS JOIN LATERAL (
  SELECT * FROM calls WHERE project_id = ${projectRowId}::uuid AND id = judged.call_id OFFSET 0) c`;

/** The newest judgement of each call, which is a number of the criterion's scale, and the newest label, if there is one. */
function judgedOf(selection: CallSelection, { scorerId, runnableRef, criterion, truth }: VerdictSource): Prisma.Sql {
  const { projectId, projectRowId } = selection;
  const prefix = `${projectId}/call/`;
  const recordsOf = (columns: Prisma.Sql, condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT f.trace_ref, f.created_at, f.id, ${columns} FROM feedback f
    WHERE f.project_id = ${projectRowId}::uuid AND starts_with(f.trace_ref, ${prefix}) AND ${condition}`;
  const verdicts = recordsOf(
    Prisma.sql`true AS is_verdict, ${verdictOf(criterion)} AS verdict, NULL::text AS label`,
    Prisma.sql`f.feedback_type = ${`hone.runnable.${scorerId}`} AND f.runnable_ref = ${runnableRef}`,
  );
  const labels = truth
    ? Prisma.sql`UNION ALL ${recordsOf(
        Prisma.sql`false, NULL::float8, ${labelOf(truth)}`,
        Prisma.sql`f.feedback_type = ${truth.feedback_type} AND f.runnable_ref IS NULL`,
      )}`
    : Prisma.empty;
  return Prisma.sql`SELECT * FROM (
    SELECT substr(trace_ref, length(${prefix}) + 1) AS call_id, bool_or(NOT is_verdict) AS has_labels,
      (array_agg(id ORDER BY created_at DESC, id DESC) FILTER (WHERE is_verdict))[1] AS id,
      (array_agg(verdict ORDER BY created_at DESC, id DESC) FILTER (WHERE is_verdict))[1] AS verdict,
      (array_agg(label ORDER BY created_at DESC, id DESC) FILTER (WHERE NOT is_verdict))[1] AS label
    FROM (${verdicts} ${labels}) records GROUP BY trace_ref) newest WHERE verdict IS NOT NULL`;
}

function verdictOf(criterion: Criterion): Prisma.Sql {
  if (criterion.isTag) return Prisma.sql`(${criterion.name} = ANY(f.scorer_tags))::int::float8`;
  const [min, max] = boundsOf(criterion);
  const found = Prisma.sql`(f.payload_json #> ${['output', criterion.name]}::text[])`;
  return Prisma.sql`CASE WHEN jsonb_typeof(${found}) = 'number' THEN
    CASE WHEN ${found}::numeric BETWEEN ${min}::float8::numeric AND ${max}::float8::numeric THEN ${found}::float8 END END`;
}
