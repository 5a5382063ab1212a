import { type CallSelection, fromSelection } from '@hone/call-queries';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { callsOf, drawsOf, judgedOf, type VerdictSource } from './judged.sql.js';
import type { CallDraw, FoundVerdicts } from './verdict-groups.js';

/** Calls of each group that are named; a report names no more in all. */
export const MAX_NAMED = 20;
const MAX_REASON = 1_024;

interface GroupRow {
  label: string | null;
  draws: CallDraw[] | null;
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
   * Calls with a label are grouped by label, verdict and draws for labelling, the others summed up by what drew them: what is
   * read is small, however many calls there are. One statement, so that each call counts once whatever is stored meanwhile.
   *
   * @param limit of groups
   * @returns null: there are more
   */
  async find(selection: CallSelection, source: VerdictSource, limit: number): Promise<FoundVerdicts | null> {
    const rows = await this.database.client.$queryRaw<GroupRow[]>`
      WITH judged AS MATERIALIZED (${judgedOf(selection, source)}), draws AS MATERIALIZED (${drawsOf(selection.projectRowId, source)})
      SELECT judged.label, CASE WHEN judged.label IS NOT NULL THEN draws.of_call ELSE draws.that_drew END AS draws,
        CASE WHEN judged.label IS NOT NULL THEN judged.verdict END AS judge, count(*)::int AS calls,
        avg(judged.verdict) AS mean, coalesce(var_samp(judged.verdict), 0) AS variance,
        bool_and(judged.verdict IN (0, 1)) AS "isBinary",
        (count(*) FILTER (WHERE judged.label IS NULL AND judged.has_labels))::int AS unread,
        (array_agg(c.id ORDER BY c.id) FILTER (WHERE judged.label IS NOT NULL))[1:${MAX_NAMED}::int] AS "callIds",
        (array_agg(judged.id ORDER BY c.id) FILTER (WHERE judged.label IS NOT NULL))[1:${MAX_NAMED}::int] AS "feedbackIds"
      ${fromSelection(selection, Prisma.sql`LEFT JOIN draws ON draws.call_id = c.id`, callsOf(selection.projectRowId))}
      GROUP BY 1, 2, 3 ORDER BY 1 NULLS FIRST, 3, 2 LIMIT ${limit + 1}`;
    if (rows.length > limit) return null;
    return {
      groups: rows.flatMap(({ label, draws, judge, calls, callIds, feedbackIds }) =>
        label === null || judge === null
          ? []
          : [{ label, draws, judge, calls, callIds: callIds ?? [], feedbackIds: feedbackIds ?? [] }],
      ),
      others: rows
        .filter(({ label }) => label === null)
        .map(({ draws, calls, mean, variance, isBinary, unread }) => ({
          ...{ draws, isBinary, unread },
          verdicts: { count: calls, mean, variance },
        })),
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
