import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { QueueChange, QueueItemRecord, QueueRecord } from './queue.record.js';

/** The columns of a {@link QueueItemRecord}, of the table as `i`. */
export const ITEM_COLUMNS = Prisma.sql`
  i.id, i.queue_id AS "queueId", i.call_id AS "callId", i.call_started_at AS "callStartedAt", i.call_ended_at AS "callEndedAt",
  i.call_op_name AS "callOpName", i.call_trace_id AS "callTraceId", i.display_fields AS "displayFields",
  i.created_at AS "createdAt", i.created_by AS "createdBy", i.added_by AS "addedBy", i.updated_at AS "updatedAt",
  i.deleted_at AS "deletedAt", i.call_deleted_at AS "callDeletedAt"`;

@Injectable()
export class QueueRepository {
  constructor(private readonly database: Database) {}

  /** Whether a live queue has this id. */
  async exists(projectRowId: string, queueId: string): Promise<boolean> {
    const found = await this.database.client.annotationQueue.count({
      where: { projectId: projectRowId, id: queueId, deletedAt: null },
    });
    return found > 0;
  }

  /** A live queue; null: there is none. */
  async find(projectRowId: string, queueId: string): Promise<QueueRecord | null> {
    return this.database.client.annotationQueue.findFirst({
      where: { projectId: projectRowId, id: queueId, deletedAt: null },
    });
  }

  /** Changes a live queue. @returns the queue as it is then; null: there is none */
  async update(projectRowId: string, queueId: string, change: QueueChange): Promise<QueueRecord | null> {
    return this.change(projectRowId, queueId, { ...change, updatedAt: new Date() });
  }

  /** Deletes a live queue; its items stay as they are. @returns the queue as it was; null: there is none */
  async delete(projectRowId: string, queueId: string): Promise<QueueRecord | null> {
    const now = new Date();
    return this.change(projectRowId, queueId, { deletedAt: now, updatedAt: now });
  }

  private async change(projectRowId: string, queueId: string, data: Partial<QueueRecord>): Promise<QueueRecord | null> {
    const changed = await this.database.client.annotationQueue.updateManyAndReturn({
      where: { projectId: projectRowId, id: queueId, deletedAt: null },
      data,
    });
    return changed[0] ?? null;
  }

  /** Which of these calls exist. */
  async findCalls(projectRowId: string, callIds: string[]): Promise<Set<string>> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT id FROM calls
      WHERE project_id = ${projectRowId}::uuid AND id = ANY(${callIds}) AND started_at IS NOT NULL AND deleted_at IS NULL`;
    return new Set(rows.map(({ id }) => id));
  }

  /** Takes a live item out of its queue. @returns the item as it is then; null: there is none */
  async removeItem(projectRowId: string, queueId: string, itemId: string): Promise<QueueItemRecord | null> {
    const rows = await this.database.client.$queryRaw<QueueItemRecord[]>`
      UPDATE annotation_queue_items i SET deleted_at = now(), updated_at = now()
      WHERE project_id = ${projectRowId}::uuid AND queue_id = ${queueId} AND id = ${itemId} AND deleted_at IS NULL
      RETURNING ${ITEM_COLUMNS}`;
    return rows[0] ?? null;
  }
}
