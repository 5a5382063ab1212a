import { IS_SHOWN } from '@hone/call-queries';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** What a score is about, in words of OpenTelemetry. */
export interface ScoreTarget {
  readonly traceId: string | null;
  readonly spanId: string | null;
}

/** The calls that spans and traces became. */
@Injectable()
export class ScoreTargetsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Ids of the calls, in the order of the targets: of a span its call, of a trace its root.
   *
   * @param isLast the root will not come any more: the earliest call of a trace stands for it
   * @returns null where the call is not there
   */
  async find(projectRowId: string, targets: readonly ScoreTarget[], isLast: boolean): Promise<(string | null)[]> {
    const rows = await this.database.client.$queryRaw<{ id: string | null }[]>`
      SELECT coalesce(span.id, root.id) AS id
      FROM unnest(${targets.map(({ traceId }) => traceId)}::text[], ${targets.map(({ spanId }) => spanId)}::text[])
        WITH ORDINALITY AS t (trace_id, span_id, n)
      ${callsOf(projectRowId, isLast)} ORDER BY t.n`;
    return rows.map(({ id }) => id);
  }
}

/** Joins `span` and `root` to targets `t (trace_id, span_id)`. A call has its span's id, or that of the trace before it. */
export const callsOf = (projectRowId: string | Prisma.Sql, isLast: boolean | Prisma.Sql): Prisma.Sql => {
  const project = typeof projectRowId === 'string' ? Prisma.sql`${projectRowId}::uuid` : projectRowId;
  const last = typeof isLast === 'boolean' ? Prisma.sql`${isLast}::boolean` : isLast;
  return Prisma.sql`
    LEFT JOIN LATERAL (
      SELECT c.id FROM calls c WHERE c.project_id = ${project} AND c.id IN (t.span_id, t.trace_id || '-' || t.span_id)
        AND (t.trace_id IS NULL OR c.trace_id = t.trace_id) AND ${IS_SHOWN} LIMIT 1) span ON true
    LEFT JOIN LATERAL (
      SELECT c.id FROM calls c WHERE t.span_id IS NULL AND c.project_id = ${project} AND c.trace_id = t.trace_id
        AND (c.parent_id IS NULL OR ${last}) AND ${IS_SHOWN}
      ORDER BY c.parent_id IS NOT NULL, c.started_at, c.id LIMIT 1) root ON true`;
};
