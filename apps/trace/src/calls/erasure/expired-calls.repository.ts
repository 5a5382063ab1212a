import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

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

/** Finds calls that are older than their project keeps them. */
@Injectable()
export class ExpiredCallsRepository {
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

  /** Ids of a batch, locked until the transaction ends; those that are being written are left for the next run. */
  async lockBatch({ projectId, before }: ExpiredCalls, kind: ExpiredKind, limit: number): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT id FROM calls WHERE project_id = ${projectId}::uuid AND ${CONDITIONS[kind](before)}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
    return rows.map(({ id }) => id);
  }
}
