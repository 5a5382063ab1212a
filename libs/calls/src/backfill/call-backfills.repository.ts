import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Any number, the same in every process; the second key of the lock is the name of the work. */
const BACKFILL_LOCK = 4_663_030;

/** Work that is done once on every call that was stored before this server knew of it. */
export interface CallBackfill {
  /** Names the work in the table of backfills. */
  readonly name: string;
  /** Most calls of one transaction: so few that it takes well under a second. */
  readonly batchCalls: number;
  /**
   * Deals with calls in the transaction of their batch. Calls may change meanwhile, and a batch that was rolled back comes
   * again.
   *
   * @param ids at least one; some of the calls may be deleted, or only ends
   */
  fill(projectRowId: string, ids: readonly string[]): Promise<void>;
}

/** How far a backfill of a project is. */
export interface BackfillProgress {
  readonly isFinished: boolean;
  readonly doneCalls: number;
  /** Calls that the project had when the work began; null: not counted yet. */
  readonly totalCalls: number | null;
}

/**
 * Resumable work on calls that are there already. Each kind of work has a row for each project that needs it, made by a
 * migration or {@link request}. {@link step} does one batch of any project, under an advisory lock, so that one process
 * at a time works on each kind; a process that is killed loses its batch alone.
 */
@Injectable()
export class CallBackfillsRepository {
  constructor(private readonly database: Database) {}

  /** Has all calls of a project dealt with from the first one on, even if they were before. Joins the ambient transaction. */
  async request(projectRowId: string, name: string): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO call_backfills (project_id, name) VALUES (${projectRowId}::uuid, ${name})
      ON CONFLICT (project_id, name) DO UPDATE
      SET place = '', done_calls = 0, total_calls = NULL, requested_at = now(), finished_at = NULL`;
  }

  /** Ends the work on a project. Joins the ambient transaction. */
  async cancel(projectRowId: string, name: string): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM call_backfills WHERE project_id = ${projectRowId}::uuid AND name = ${name}`;
  }

  /** @returns null: it was never asked for */
  async progress(projectRowId: string, name: string): Promise<BackfillProgress | null> {
    const [row] = await this.database.client.$queryRaw<{ isFinished: boolean; done: bigint; total: bigint | null }[]>`
      SELECT finished_at IS NOT NULL AS "isFinished", done_calls AS done, total_calls AS total FROM call_backfills
      WHERE project_id = ${projectRowId}::uuid AND name = ${name}`;
    if (!row) return null;
    return {
      isFinished: row.isFinished,
      doneCalls: Number(row.done),
      totalCalls: row.total === null ? null : Number(row.total),
    };
  }

  /**
   * Deals with the next batch.
   *
   * @returns whether there may be more; null: another process is at it
   */
  async step(backfill: CallBackfill): Promise<boolean | null> {
    const { name } = backfill;
    return this.database.transaction(async () => {
      const [lock] = await this.database.client.$queryRaw<{ isMine: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(${BACKFILL_LOCK}::int, hashtext(${name})) AS "isMine"`;
      if (!lock?.isMine) return null;
      const [open] = await this.database.client.$queryRaw<OpenRow[]>`
        SELECT project_id AS "projectRowId", place, total_calls IS NOT NULL AS "isCounted" FROM call_backfills
        WHERE name = ${name} AND finished_at IS NULL ORDER BY project_id LIMIT 1 FOR UPDATE`;
      if (!open) return false;
      if (open.isCounted) await this.batch(backfill, open);
      else await this.count(name, open.projectRowId);
      return true;
    });
  }

  private async batch({ name, batchCalls, fill }: CallBackfill, { projectRowId, place }: OpenRow): Promise<void> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT id FROM calls WHERE project_id = ${projectRowId}::uuid AND id > ${place} ORDER BY id LIMIT ${batchCalls}`;
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await fill(projectRowId, ids);
    const end = ids.length < batchCalls ? Prisma.sql`, finished_at = now()` : Prisma.empty;
    await this.database.client.$executeRaw`
      UPDATE call_backfills SET place = ${ids.at(-1) ?? place}, done_calls = done_calls + ${ids.length} ${end}
      WHERE project_id = ${projectRowId}::uuid AND name = ${name}`;
  }

  private async count(name: string, projectRowId: string): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE call_backfills SET total_calls = (SELECT count(*) FROM calls WHERE project_id = ${projectRowId}::uuid)
      WHERE project_id = ${projectRowId}::uuid AND name = ${name}`;
  }
}

interface OpenRow {
  projectRowId: string;
  place: string;
  isCounted: boolean;
}
