import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

const BATCH = 10_000;

/** Which calls a version of an artifact was made of. */
@Injectable()
export class DataCallsRepository {
  constructor(private readonly database: Database) {}

  async insert(projectId: string, versionId: string, split: string, callIds: readonly string[]): Promise<void> {
    for (let at = 0; at < callIds.length; at += BATCH) {
      await this.database.client.$executeRaw`
        INSERT INTO training_data_calls (project_id, version_id, call_id, split)
        SELECT ${projectId}::uuid, ${versionId}::uuid, id, ${split}
        FROM unnest(${callIds.slice(at, at + BATCH)}::text[]) AS calls(id)`;
    }
  }
}
