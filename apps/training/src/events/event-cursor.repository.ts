import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Where the events of a job end. */
@Injectable()
export class EventCursorRepository {
  constructor(private readonly database: Database) {}

  /** Sequence number of the event that comes next. */
  async nextSeq(jobId: string): Promise<number> {
    const rows = await this.database.client.$queryRaw<{ next: number }[]>`
      SELECT next_event_seq AS next FROM training_jobs WHERE id = ${jobId}::uuid`;
    return rows[0]?.next ?? 0;
  }
}
