import { stringifyJson } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ImportedScore } from './imported-score.js';
import { callsOf } from './score-targets.repository.js';

/** A score whose call has come. */
export interface ArrivedScore {
  readonly projectRowId: string;
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly svcUserId: string;
  readonly receivedAt: Date;
  readonly score: ImportedScore;
  readonly callId: string;
}

/** Scores that came before the calls that they are about: a root span is sent when all is over. */
@Injectable()
export class WaitingScoresRepository {
  constructor(private readonly database: Database) {}

  /** Keeps scores; one that waits already is replaced. @param ids of the feedback that they will be */
  async add(
    projectRowId: string,
    svcUserId: string,
    ids: readonly string[],
    scores: readonly ImportedScore[],
  ): Promise<void> {
    const rows = scores.map((score, at) => ({ id: ids[at], trace_id: score.traceId, span_id: score.spanId, score }));
    await this.database.client.$executeRaw`
      INSERT INTO waiting_scores (project_id, id, trace_id, span_id, score, svc_user_id)
      SELECT ${projectRowId}::uuid, id, trace_id, span_id, score, ${svcUserId}::uuid
      FROM jsonb_to_recordset(${stringifyJson(rows as never)}::jsonb) AS row (id text, trace_id text, span_id text, score jsonb)
      ON CONFLICT (project_id, id) DO UPDATE SET trace_id = excluded.trace_id, span_id = excluded.span_id, score = excluded.score,
        svc_user_id = excluded.svc_user_id, received_at = now()`;
  }

  /**
   * Takes scores away whose calls are there, within a transaction that stores them.
   *
   * @param waitedMs after which a trace's earliest call stands for its root
   */
  async takeArrived(limit: number, waitedMs: number): Promise<ArrivedScore[]> {
    const isLast = Prisma.sql`t.received_at < now() - ${waitedMs} * interval '1 millisecond'`;
    return this.database.client.$queryRaw<ArrivedScore[]>`
      WITH arrived AS MATERIALIZED (
        SELECT t.project_id, t.id, coalesce(span.id, root.id) AS call_id
        FROM (SELECT * FROM waiting_scores ORDER BY checked_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) t
        ${callsOf(Prisma.sql`t.project_id`, isLast)}
      ), seen AS (
        UPDATE waiting_scores w SET checked_at = now() FROM arrived a
        WHERE w.project_id = a.project_id AND w.id = a.id AND a.call_id IS NULL
      ), taken AS (
        DELETE FROM waiting_scores w USING arrived a WHERE w.project_id = a.project_id AND w.id = a.id AND a.call_id IS NOT NULL
        RETURNING w.project_id, w.svc_user_id, w.received_at, w.score, a.call_id)
      SELECT t.project_id AS "projectRowId", e.name || '/' || p.name AS "projectId", t.svc_user_id AS "svcUserId",
        t.received_at AS "receivedAt", t.score, t.call_id AS "callId"
      FROM taken t JOIN projects p ON p.id = t.project_id JOIN entities e ON e.id = p.entity_id`;
  }

  /** @returns how many were deleted */
  async deleteBefore(time: Date): Promise<number> {
    return this.database.client.$executeRaw`DELETE FROM waiting_scores WHERE received_at < ${time}`;
  }
}
