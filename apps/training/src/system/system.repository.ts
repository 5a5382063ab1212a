import { Database, newId } from '@hone/database';
import { JobLease } from '@hone/training-jobs';
import { Injectable } from '@nestjs/common';

/** Thrown to undo what was only tried. */
class UndoneError extends Error {}

/** What the system check asks of the database. */
@Injectable()
export class SystemRepository {
  constructor(
    private readonly database: Database,
    private readonly leases: JobLease,
  ) {}

  async ping(): Promise<void> {
    await this.database.ping();
  }

  /** Claims a job as a worker does, and takes it back. @throws when the query cannot run */
  async tryClaim(timeoutMs: number): Promise<void> {
    const attempt = this.database.transaction(
      async () => {
        await this.leases.claim(`system-check:${newId()}`);
        throw new UndoneError();
      },
      { timeoutMs },
    );
    await attempt.catch((error: unknown) => {
      if (!(error instanceof UndoneError)) throw error;
    });
  }

  /** Whether a worker with this engine has sent a heartbeat in the last `seconds`. */
  async isWorkerSeen(engine: string, seconds: number): Promise<boolean> {
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT 1 FROM workers WHERE ${engine} = ANY (engines)
        AND seen_at >= now() - make_interval(secs => ${seconds}::float8) LIMIT 1`;
    return rows.length > 0;
  }
}
