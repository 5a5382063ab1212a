import { Injectable } from '@nestjs/common';
import { Database, Prisma } from '@hone/database';

/** Small, so that writes never wait long for a deletion. */
export const RETENTION_BATCH_CALLS = 1_000;
/** Any number, the same in every process: one of them deletes, the others find nothing to do. */
const RETENTION_LOCK = 4_663_020;

/** Calls of a project that began, or ended, before a time. */
export interface ExpiredCalls {
  projectId: string;
  before: Date;
}

/** Those that are shown are found by their index, the few others by reading on. */
const CONDITIONS = {
  shown: (before: Date) => Prisma.sql`deleted_at IS NULL AND started_at IS NOT NULL AND started_at < ${before}`,
  others: (before: Date) =>
    Prisma.sql`(deleted_at IS NOT NULL OR started_at IS NULL) AND coalesce(started_at, ended_at) < ${before}`,
};
export type ExpiredKind = keyof typeof CONDITIONS;
export const EXPIRED_KINDS: readonly ExpiredKind[] = ['shown', 'others'];

/** What has expired by the retention of a project. @param now when the days are counted from */
export const expiredAfter = (projectId: string, retentionDays: number, now = Date.now()): ExpiredCalls => ({
  projectId,
  before: new Date(now - retentionDays * 86_400_000),
});

/** Counts and deletes calls that are older than their project keeps them. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  /** What has expired, of each project that does not keep its calls for ever. */
  async list(): Promise<ExpiredCalls[]> {
    const projects = await this.database.client.projectSettings.findMany({ where: { retentionDays: { not: null } } });
    return projects.map(({ projectId, retentionDays }) => expiredAfter(projectId, retentionDays as number));
  }

  async count({ projectId, before }: ExpiredCalls): Promise<{ calls: number; bytes: number }> {
    const rows = await this.database.client.$queryRaw<{ calls: bigint; bytes: bigint }[]>`
      SELECT count(*) AS calls, coalesce(sum(start_bytes + end_bytes), 0)::bigint AS bytes FROM calls
      WHERE project_id = ${projectId}::uuid AND ((${CONDITIONS.shown(before)}) OR (${CONDITIONS.others(before)}))`;
    return { calls: Number(rows[0]?.calls ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
  }

  /**
   * Deletes a batch of calls, with their values. Calls go before their values, as batches lock them; a call that is being
   * written is left for the next hour.
   *
   * @returns how many; fewer than {@link RETENTION_BATCH_CALLS}: nothing is left; null: another process deletes
   */
  async deleteBatch({ projectId, before }: ExpiredCalls, kind: ExpiredKind): Promise<number | null> {
    return this.database.transaction(async () => {
      const { client } = this.database;
      const [lock] = await client.$queryRaw<{ isMine: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(${RETENTION_LOCK}) AS "isMine"`;
      if (!lock?.isMine) return null;
      return client.$executeRaw`
        WITH expired AS (
          SELECT id FROM calls WHERE project_id = ${projectId}::uuid AND ${CONDITIONS[kind](before)}
          LIMIT ${RETENTION_BATCH_CALLS} FOR UPDATE SKIP LOCKED),
        gone AS (
          DELETE FROM call_values v USING expired WHERE v.project_id = ${projectId}::uuid AND v.id = expired.id)
        DELETE FROM calls c USING expired WHERE c.project_id = ${projectId}::uuid AND c.id = expired.id`;
    });
  }
}
