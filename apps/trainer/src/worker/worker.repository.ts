import { Injectable } from '@nestjs/common';
import { Database } from '@hone/database';

export interface WorkerRecord {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly engines: readonly string[];
}

/** Which trainers are there, for those who look after the installation. */
@Injectable()
export class WorkerRepository {
  constructor(private readonly database: Database) {}

  /** It is alive, and busy with this job; null: with none. */
  async markSeen({ id, host, version, engines }: WorkerRecord, jobId: string | null): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO workers (id, host, version, engines, current_job_id)
      VALUES (${id}, ${host}, ${version}, ${[...engines]}, ${jobId}::uuid)
      ON CONFLICT (id) DO UPDATE SET seen_at = now(), current_job_id = excluded.current_job_id`;
  }

  async delete(id: string): Promise<void> {
    await this.database.client.$executeRaw`DELETE FROM workers WHERE id = ${id}`;
  }

  /** Those that were killed never say goodbye. */
  async deleteUnseen(): Promise<number> {
    return this.database.client.$executeRaw`DELETE FROM workers WHERE seen_at < now() - interval '1 day'`;
  }
}
