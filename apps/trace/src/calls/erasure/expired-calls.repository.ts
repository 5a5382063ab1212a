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
/** In the order of their index, so that a batch begins where the one before ended. */
const PLACES = {
  shown: ({ startedAt, id }: ExpiredPlace) => Prisma.sql`(started_at, id) > (${startedAt}::timestamptz, ${id})`,
  others: ({ id }: ExpiredPlace) => Prisma.sql`id > ${id}`,
};
const ORDERS = { shown: Prisma.sql`started_at, id`, others: Prisma.sql`id` };
export type ExpiredKind = keyof typeof CONDITIONS;

/** The last call of a batch. */
export interface ExpiredPlace {
  readonly id: string;
  /** ISO 8601, exact; null: its start never came. */
  readonly startedAt: string | null;
}
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

  /**
   * A batch, locked until the transaction ends; calls that are being written are left for the next run.
   *
   * @param after the last call of the batch before: without it, each batch would read past all that those before deleted
   */
  async lockBatch(
    { projectId, before }: ExpiredCalls,
    kind: ExpiredKind,
    after: ExpiredPlace | null,
    limit: number,
  ): Promise<ExpiredPlace[]> {
    const rest = after === null ? Prisma.empty : Prisma.sql`AND ${PLACES[kind](after)}`;
    return this.database.client.$queryRaw<ExpiredPlace[]>`
      SELECT id, started_at::text AS "startedAt" FROM calls
      WHERE project_id = ${projectId}::uuid AND ${CONDITIONS[kind](before)} ${rest}
      ORDER BY ${ORDERS[kind]} LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  }
}
