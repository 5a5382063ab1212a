import type { AnnotationState } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import type { QueueRules } from '@hone/feedback';
import { Injectable } from '@nestjs/common';

import type { ItemWork, ProgressRecord, QueueItemRecord } from './queue.record.js';
import { ITEM_COLUMNS } from './queue.repository.js';

/** An item of a project, by the ids of its rows. */
export interface ItemKey {
  projectRowId: string;
  queueId: string;
  itemId: string;
}

type WorkRow = QueueRules & { isAssigned: boolean; isExpired: boolean } & (ProgressRecord | { userId: null });

const PROGRESS_COLUMNS = Prisma.sql`
  p.user_id AS "userId", p.state, p.updated_at AS "updatedAt", p.lease_id AS "leaseId", p.lease_expires_at AS "leaseExpiresAt"`;

/** Where annotators stand with items, and their leases. Every change happens under the lock of the item. */
@Injectable()
export class ProgressRepository {
  constructor(private readonly database: Database) {}

  /** Locks a live item until the transaction ends, so that parallel moves are serialised. */
  async lockItem({ projectRowId, queueId, itemId }: ItemKey): Promise<QueueItemRecord | null> {
    const rows = await this.database.client.$queryRaw<QueueItemRecord[]>`
      SELECT ${ITEM_COLUMNS}
      FROM annotation_queue_items i
      WHERE project_id = ${projectRowId}::uuid AND queue_id = ${queueId} AND id = ${itemId} AND deleted_at IS NULL
      FOR UPDATE`;
    return rows[0] ?? null;
  }

  /** Whether the queue has this live item. */
  async hasItem({ projectRowId: projectId, queueId, itemId: id }: ItemKey): Promise<boolean> {
    const where = { projectId, queueId, id, deletedAt: null };
    return (await this.database.client.annotationQueueItem.count({ where })) > 0;
  }

  /**
   * What an annotator finds of a locked item. This is a statement of its own: the one that waited for the lock may not
   * see what was committed meanwhile. Leases that have expired end here.
   *
   * @returns null when the queue is deleted
   */
  async findWork(key: ItemKey, item: QueueItemRecord, userId: string): Promise<ItemWork | null> {
    const { projectRowId, queueId, itemId } = key;
    const rows = await this.database.client.$queryRaw<WorkRow[]>`
      SELECT q.reviewers_per_item AS "reviewersPerItem", q.lease_seconds AS "leaseSeconds", q.assigned_only AS "assignedOnly",
        EXISTS (SELECT 1 FROM annotation_assignees a WHERE a.project_id = ${projectRowId}::uuid AND a.queue_id = ${queueId}
          AND a.item_id = ${itemId} AND a.user_id = ${userId}::uuid) AS "isAssigned",
        ${PROGRESS_COLUMNS}, coalesce(p.lease_expires_at <= statement_timestamp(), false) AS "isExpired"
      FROM annotation_queues q LEFT JOIN annotation_progress p
        ON p.project_id = q.project_id AND p.queue_id = q.id AND p.item_id = ${itemId}
      WHERE q.project_id = ${projectRowId}::uuid AND q.id = ${queueId} AND q.deleted_at IS NULL`;
    if (!rows[0]) return null;
    const { reviewersPerItem, leaseSeconds, assignedOnly, isAssigned } = rows[0];
    const progress = rows.flatMap((row) => (row.userId === null ? [] : [toProgress(row)]));
    const expired = rows.flatMap(({ isExpired, userId: holder }) => (isExpired && holder !== null ? [holder] : []));
    if (expired.length) await this.endLeases(key, expired);
    return {
      item,
      own: progress.find((one) => one.userId === userId) ?? null,
      others: progress.filter((one) => one.userId !== userId),
      queue: { reviewersPerItem, leaseSeconds, assignedOnly },
      isAssigned,
    };
  }

  private async endLeases({ projectRowId, queueId, itemId }: ItemKey, userIds: string[]): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE annotation_progress SET state = 'unstarted', lease_id = NULL, lease_expires_at = NULL, updated_at = now()
      WHERE project_id = ${projectRowId}::uuid AND queue_id = ${queueId} AND item_id = ${itemId}
        AND user_id = ANY(${userIds}::uuid[])`;
  }

  async find({ projectRowId, queueId, itemId }: ItemKey, userId: string): Promise<ProgressRecord | null> {
    const row = await this.database.client.annotationProgress.findUnique({
      where: { projectId_queueId_itemId_userId: { projectId: projectRowId, queueId, itemId, userId } },
      omit: { projectId: true, queueId: true, itemId: true },
    });
    return row && { ...row, state: row.state as AnnotationState };
  }

  async save({ projectRowId: projectId, queueId, itemId }: ItemKey, progress: ProgressRecord): Promise<void> {
    const { userId, ...data } = progress;
    await this.database.client.annotationProgress.upsert({
      where: { projectId_queueId_itemId_userId: { projectId, queueId, itemId, userId } },
      create: { projectId, queueId, itemId, userId, ...data },
      update: data,
    });
  }

  /** Notes how many annotators have finished an item, so that claims need not count them. */
  async setFinishedCount({ projectRowId, queueId, itemId }: ItemKey, count: number): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE annotation_queue_items SET finished_count = ${count}
      WHERE project_id = ${projectRowId}::uuid AND queue_id = ${queueId} AND id = ${itemId}`;
  }

  /**
   * Gives an annotator a lease, or prolongs it: by the clock of the database, which all processes share. A lease never
   * becomes shorter by this.
   */
  async lease(key: ItemKey, userId: string, leaseId: string, seconds: number): Promise<ProgressRecord> {
    const { projectRowId, queueId, itemId } = key;
    const rows = await this.database.client.$queryRaw<ProgressRecord[]>`
      INSERT INTO annotation_progress AS p (project_id, queue_id, item_id, user_id, state, updated_at, lease_id, lease_expires_at)
      VALUES (${projectRowId}::uuid, ${queueId}, ${itemId}, ${userId}::uuid, 'unstarted', statement_timestamp(), ${leaseId},
        statement_timestamp() + make_interval(secs => ${seconds}::int))
      ON CONFLICT (project_id, queue_id, item_id, user_id) DO UPDATE SET lease_id = excluded.lease_id,
        lease_expires_at = greatest(p.lease_expires_at, excluded.lease_expires_at)
      RETURNING ${PROGRESS_COLUMNS}`;
    return rows[0] as ProgressRecord;
  }
}

/** A record as it is once its lease has ended, if that has expired. */
function toProgress({ userId, state, updatedAt, leaseId, leaseExpiresAt, isExpired }: WorkRow & ProgressRecord) {
  if (isExpired)
    return { userId, state: 'unstarted' as const, updatedAt: new Date(), leaseId: null, leaseExpiresAt: null };
  return { userId, state, updatedAt, leaseId, leaseExpiresAt };
}
