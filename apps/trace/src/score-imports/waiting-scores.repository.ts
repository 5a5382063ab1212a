import { parseJson, type Role, stringifyJson } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ImportedScore } from './imported-score.js';
import { callsOf } from './score-targets.repository.js';

/** A waiting score whose call has come. */
export interface ArrivedScore {
  readonly projectRowId: string;
  /** Of the feedback that it will be. */
  readonly id: string;
  readonly receivedAt: Date;
  readonly callId: string;
}

/** A score that waits no more. */
export interface TakenScore extends ArrivedScore {
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly svcUserId: string;
  /** Of its author on the entity, by now; null: none. */
  readonly role: Role | null;
  readonly score: ImportedScore;
}

/** Who sent scores, and to which project. */
export interface ScoreSender {
  readonly projectRowId: string;
  readonly svcUserId: string;
  /** Scores of others may be replaced. */
  readonly replacesAll: boolean;
}

/** Scores that came before the calls that they are about: a root span is sent when all is over. */
@Injectable()
export class WaitingScoresRepository {
  constructor(private readonly database: Database) {}

  /** How many wait in a project, counted up to a limit. */
  async count(projectRowId: string, limit: number): Promise<number> {
    const [row] = await this.database.client.$queryRaw<{ n: number }[]>`
      SELECT count(*)::int AS n
      FROM (SELECT FROM waiting_scores WHERE project_id = ${projectRowId}::uuid LIMIT ${limit}) waiting`;
    return row?.n ?? 0;
  }

  /** Keeps scores, by the ids of the feedback that they will be; one that waits already is replaced. @returns the kept ids */
  async add(
    { projectRowId, svcUserId, replacesAll }: ScoreSender,
    scores: ReadonlyMap<string, ImportedScore>,
  ): Promise<Set<string>> {
    const rows = [...scores].map(([id, score]) => ({
      ...{ id, trace_id: score.traceId, span_id: score.spanId, score: stringifyJson({ ...score }) },
    }));
    const kept = await this.database.client.$queryRaw<{ id: string }[]>`
      INSERT INTO waiting_scores AS w (project_id, id, trace_id, span_id, score, svc_user_id)
      SELECT ${projectRowId}::uuid, id, trace_id, span_id, score, ${svcUserId}::uuid
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row (id text, trace_id text, span_id text, score text)
      ORDER BY id COLLATE "C"
      ON CONFLICT (project_id, id) DO UPDATE SET trace_id = excluded.trace_id, span_id = excluded.span_id, score = excluded.score,
        svc_user_id = excluded.svc_user_id, received_at = now(), checked_at = now()
        WHERE ${replacesAll}::boolean OR w.svc_user_id = excluded.svc_user_id
      RETURNING id`;
    return new Set(kept.map(({ id }) => id));
  }

  /**
   * Looks for the calls of those scores that were looked for the longest ago, of each project as many. Each is looked for again
   * after all others, whatever becomes of it.
   *
   * @param waitedMs after which a trace's earliest call stands for its root
   */
  async findArrived(limit: number, waitedMs: number): Promise<ArrivedScore[]> {
    const isLast = Prisma.sql`t.received_at < now() - ${waitedMs} * interval '1 millisecond'`;
    return this.database.client.$queryRaw<ArrivedScore[]>`
      WITH RECURSIVE projects_of (project_id) AS (
        (SELECT project_id FROM waiting_scores ORDER BY project_id LIMIT 1)
        UNION ALL
        SELECT (SELECT w.project_id FROM waiting_scores w WHERE w.project_id > p.project_id ORDER BY w.project_id LIMIT 1)
        FROM projects_of p WHERE p.project_id IS NOT NULL
      ), shares AS (
        SELECT project_id, ceil(${limit}::float8 / count(*) OVER ())::bigint AS n FROM projects_of WHERE project_id IS NOT NULL
      ), t AS MATERIALIZED (
        SELECT w.* FROM shares CROSS JOIN LATERAL (
          SELECT w.project_id, w.id, w.trace_id, w.span_id, w.received_at FROM waiting_scores w
          WHERE w.project_id = shares.project_id AND w.checked_at <= now()
          ORDER BY w.checked_at LIMIT shares.n FOR UPDATE SKIP LOCKED) w
      ), seen AS (
        UPDATE waiting_scores w SET checked_at = now() FROM t WHERE w.project_id = t.project_id AND w.id = t.id)
      SELECT t.project_id AS "projectRowId", t.id, t.received_at AS "receivedAt", coalesce(span.id, root.id) AS "callId"
      FROM t ${callsOf(Prisma.sql`t.project_id`, isLast)}
      WHERE coalesce(span.id, root.id) IS NOT NULL`;
  }

  /** Takes scores away, within a transaction that stores them. Those that another process took, or that came anew, are left. */
  async take(arrived: readonly ArrivedScore[]): Promise<TakenScore[]> {
    const rows = await this.database.client.$queryRaw<(Omit<TakenScore, 'score'> & { score: string })[]>`
      WITH taken AS (
        DELETE FROM waiting_scores w
        USING jsonb_to_recordset(${JSON.stringify(arrived)}::jsonb) AS a (
          "projectRowId" uuid, id text, "receivedAt" timestamptz, "callId" text)
        WHERE w.project_id = a."projectRowId" AND w.id = a.id AND w.received_at = a."receivedAt"
        RETURNING w.project_id, w.id, w.svc_user_id, w.received_at, w.score, a."callId" AS call_id)
      SELECT t.project_id AS "projectRowId", e.name || '/' || p.name AS "projectId", t.id, t.svc_user_id AS "svcUserId",
        t.received_at AS "receivedAt", t.score, t.call_id AS "callId",
        CASE WHEN u.is_admin THEN 'owner' ELSE m.role END AS role
      FROM taken t JOIN projects p ON p.id = t.project_id JOIN entities e ON e.id = p.entity_id
      LEFT JOIN users u ON u.id = t.svc_user_id
      LEFT JOIN memberships m ON m.user_id = t.svc_user_id AND m.entity_id = p.entity_id`;
    return rows.map((row) => ({ ...row, score: parseJson(row.score) as unknown as ImportedScore }));
  }

  /** Has a score wait for some time before its call is looked for again. */
  async postpone({ projectRowId, id }: ArrivedScore, ms: number): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE waiting_scores SET checked_at = now() + ${ms} * interval '1 millisecond'
      WHERE project_id = ${projectRowId}::uuid AND id = ${id}`;
  }

  /** @returns how many were deleted */
  async deleteBefore(time: Date): Promise<number> {
    return this.database.client.$executeRaw`DELETE FROM waiting_scores WHERE received_at < ${time}`;
  }
}
