import { Injectable } from '@nestjs/common';
import { Database, Prisma } from '@hone/database';

const BATCH_CALLS = 1_000;
/** Any number, the same in every process: one of them deletes, the others find nothing to do. */
const RETENTION_LOCK = 4_663_020;

/** Deletes calls that are older than their project keeps them. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  /** Deletes a batch of calls, with their values. @returns how many; 0: nothing is left, or another process does it */
  async deleteExpired(): Promise<number> {
    return this.database.transaction(async () => {
      const { client } = this.database;
      const [lock] = await client.$queryRaw<{ isMine: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(${RETENTION_LOCK}) AS "isMine"`;
      if (!lock?.isMine) return 0;
      const projects = await client.projectSettings.findMany({ where: { retentionDays: { not: null } } });
      for (const { projectId, retentionDays } of projects) {
        const before = new Date(Date.now() - (retentionDays as number) * 86_400_000);
        // Those that are shown are found by their index, the few others by reading on.
        for (const which of [
          Prisma.sql`deleted_at IS NULL AND started_at IS NOT NULL AND started_at < ${before}`,
          Prisma.sql`(deleted_at IS NOT NULL OR started_at IS NULL) AND coalesce(started_at, ended_at) < ${before}`,
        ]) {
          const deleted = await this.#deleteBatch(projectId, which);
          if (deleted > 0) return deleted;
        }
      }
      return 0;
    });
  }

  /** Calls before their values, as batches lock them; a call that is being written is left for the next hour. */
  #deleteBatch(projectId: string, which: Prisma.Sql): Promise<number> {
    return this.database.client.$executeRaw`
      WITH expired AS (
        SELECT id FROM calls WHERE project_id = ${projectId}::uuid AND ${which} LIMIT ${BATCH_CALLS} FOR UPDATE SKIP LOCKED),
      gone AS (
        DELETE FROM call_values v USING expired WHERE v.project_id = ${projectId}::uuid AND v.id = expired.id)
      DELETE FROM calls c USING expired WHERE c.project_id = ${projectId}::uuid AND c.id = expired.id`;
  }
}
