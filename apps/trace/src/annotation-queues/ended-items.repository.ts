import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Ends items whose calls are gone. */
@Injectable()
export class EndedItemsRepository {
  constructor(private readonly database: Database) {}

  /** Nobody is given these items any more. Call it in the transaction that deletes the calls. */
  async endOfCalls(projectRowId: string, callIds: readonly string[]): Promise<void> {
    if (callIds.length === 0) return;
    await this.database.client.$executeRaw`
      UPDATE annotation_queue_items SET call_deleted_at = now(), updated_at = now()
      WHERE project_id = ${projectRowId}::uuid AND call_id = ANY(${[...callIds]}) AND call_deleted_at IS NULL`;
  }
}
