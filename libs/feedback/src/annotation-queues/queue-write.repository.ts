import { Database, newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { QueueDraft } from './queue-draft.js';

/** How services make annotation queues, and put calls into them. */
@Injectable()
export class QueueWriteRepository {
  constructor(private readonly database: Database) {}

  async create(projectRowId: string, draft: QueueDraft): Promise<void> {
    const now = new Date();
    await this.database.client.annotationQueue.create({
      data: { projectId: projectRowId, ...draft, createdAt: now, updatedAt: now },
    });
  }

  /**
   * Adds the calls of this project that are not in the queue yet. People are given them in the order of the ids.
   *
   * @returns how many were added
   */
  async addItems(
    projectRowId: string,
    queueId: string,
    callIds: readonly string[],
    displayFields: readonly string[],
    addedBy: string,
  ): Promise<number> {
    const items = callIds.map((callId) => ({ i: newId(), c: callId }));
    return this.database.client.$executeRaw`
      INSERT INTO annotation_queue_items (project_id, queue_id, id, call_id, call_started_at, call_ended_at, call_op_name,
        call_trace_id, display_fields, created_at, created_by, added_by, updated_at)
      SELECT c.project_id, ${queueId}, item.i, c.id, c.started_at, c.ended_at, c.op_name, c.trace_id, ${[...displayFields]},
        now(), ${addedBy}::uuid, ${addedBy}::uuid, now()
      FROM json_to_recordset(${JSON.stringify(items)}::json) AS item (i text, c text)
      JOIN calls c ON c.project_id = ${projectRowId}::uuid AND c.id = item.c
      WHERE c.started_at IS NOT NULL AND c.deleted_at IS NULL
      ORDER BY c.id
      ON CONFLICT (project_id, queue_id, call_id) WHERE deleted_at IS NULL DO NOTHING`;
  }
}
