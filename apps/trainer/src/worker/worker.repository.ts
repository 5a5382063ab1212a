import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

export interface WorkerRecord {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly engines: readonly string[];
}

/** The running trainers, for operators. */
@Injectable()
export class WorkerRepository {
  constructor(private readonly database: Database) {}

  /** Heartbeat of a worker. @param jobId the job that it works on; null: none */
  async markSeen({ id, host, version, engines }: WorkerRecord, jobId: string | null): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO workers (id, host, version, engines, current_job_id)
      VALUES (${id}, ${host}, ${version}, ${[...engines]}, ${jobId}::uuid)
      ON CONFLICT (id) DO UPDATE SET seen_at = now(), current_job_id = excluded.current_job_id`;
  }

  async delete(id: string): Promise<void> {
    await this.database.client.$executeRaw`DELETE FROM workers WHERE id = ${id}`;
  }

  /** Deletes the rows of workers without a recent heartbeat: a killed worker never deletes its own. */
  async deleteUnseen(): Promise<number> {
    return this.database.client.$executeRaw`DELETE FROM workers WHERE seen_at < now() - interval '1 day'`;
  }
}
