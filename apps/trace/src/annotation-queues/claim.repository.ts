import { Database, Prisma } from '@hone/database';
import type { QueueRules } from '@hone/feedback';
import { Injectable } from '@nestjs/common';

/** The annotator of a queue who asks for an item. */
export interface Claimant {
  projectRowId: string;
  queueId: string;
  userId: string;
  /** An item that the annotator does not ask for; empty: there is none. */
  besidesItemId: string;
}

/** Finds items for annotators who ask for one. */
@Injectable()
export class ClaimRepository {
  constructor(private readonly database: Database) {}

  /** Serialises the claims of one annotator in one queue until the transaction ends. */
  async lockClaimant({ projectRowId, queueId, userId }: Claimant): Promise<void> {
    await this.database.client.$queryRaw`
      SELECT pg_advisory_xact_lock(hashtextextended(${`annotation claim ${projectRowId} ${userId} ${queueId}`}, 0))::text`;
  }

  /** The item of the annotator's lease that expires first; null: there is none. */
  async findLeased({ projectRowId, queueId, userId, besidesItemId }: Claimant): Promise<string | null> {
    const rows = await this.database.client.$queryRaw<{ itemId: string }[]>`
      SELECT p.item_id AS "itemId" FROM annotation_progress p JOIN annotation_queue_items i
        ON i.project_id = p.project_id AND i.queue_id = p.queue_id AND i.id = p.item_id AND i.deleted_at IS NULL AND i.call_deleted_at IS NULL
      WHERE p.project_id = ${projectRowId}::uuid AND p.queue_id = ${queueId} AND p.user_id = ${userId}::uuid
        AND p.state IN ('unstarted', 'in_progress') AND p.lease_expires_at > statement_timestamp()
        AND p.item_id <> ${besidesItemId}
      ORDER BY p.lease_expires_at LIMIT 1`;
    return rows[0]?.itemId ?? null;
  }

  /**
   * Locks the item that the annotator should get: one that is assigned to them, else the oldest.
   *
   * What others did while this statement waited for the lock is not in its snapshot: look again after it.
   *
   * @param mayWait items that are locked are waited for; false: they are passed by
   */
  async lockCandidate(claimant: Claimant, rules: QueueRules, mayWait: boolean): Promise<string | null> {
    const assigned = await this.lockFirst(ASSIGNED_ITEMS(claimant), claimant, rules, mayWait);
    if (assigned !== null || rules.assignedOnly) return assigned;
    return this.lockFirst(ALL_ITEMS(claimant), claimant, rules, mayWait);
  }

  /**
   * No condition is a join, whose plan may take minutes as long as the tables have no statistics: what the claimant has
   * finished is hashed once, and slots are counted only for the items that are left.
   */
  private async lockFirst(
    items: Prisma.Sql,
    { projectRowId, queueId, userId, besidesItemId }: Claimant,
    { reviewersPerItem }: QueueRules,
    mayWait: boolean,
  ): Promise<string | null> {
    const ofQueue = Prisma.sql`p.project_id = ${projectRowId}::uuid AND p.queue_id = ${queueId}`;
    const isFinished = Prisma.sql`i.id IN (SELECT p.item_id FROM annotation_progress p
      WHERE ${ofQueue} AND p.user_id = ${userId}::uuid AND p.state IN ('completed', 'skipped'))`;
    const hasFreeSlot = Prisma.sql`${reviewersPerItem} > (
      SELECT count(*) FROM annotation_progress p WHERE ${ofQueue} AND p.item_id = i.id AND p.user_id <> ${userId}::uuid
        AND (p.state IN ('completed', 'skipped') OR p.lease_expires_at > statement_timestamp()
          OR p.state = 'in_progress' AND p.lease_expires_at IS NULL))`;
    const mayGet =
      reviewersPerItem === null
        ? Prisma.sql`NOT ${isFinished}`
        : Prisma.sql`CASE WHEN i.finished_count >= ${reviewersPerItem} OR ${isFinished} THEN false ELSE ${hasFreeSlot} END`;
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT i.id ${items} AND i.deleted_at IS NULL AND i.call_deleted_at IS NULL AND i.id <> ${besidesItemId} AND ${mayGet}
      ORDER BY i.created_at, i.id LIMIT 1
      FOR UPDATE OF i ${mayWait ? Prisma.empty : Prisma.sql`SKIP LOCKED`}`;
    return rows[0]?.id ?? null;
  }

  /** Marks the point to which {@link rollBack} returns. */
  async mark(): Promise<void> {
    await this.database.client.$executeRaw`SAVEPOINT claim`;
  }

  /** Unlocks what was locked since {@link mark}: whoever waits for an item must hold no other one. */
  async rollBack(): Promise<void> {
    await this.database.client.$executeRaw`ROLLBACK TO SAVEPOINT claim`;
  }
}

const ALL_ITEMS = ({ projectRowId, queueId }: Claimant): Prisma.Sql => Prisma.sql`
  FROM annotation_queue_items i WHERE i.project_id = ${projectRowId}::uuid AND i.queue_id = ${queueId}`;

const ASSIGNED_ITEMS = ({ projectRowId, queueId, userId }: Claimant): Prisma.Sql => Prisma.sql`
  FROM annotation_assignees a JOIN annotation_queue_items i
    ON i.project_id = a.project_id AND i.queue_id = a.queue_id AND i.id = a.item_id
  WHERE a.project_id = ${projectRowId}::uuid AND a.queue_id = ${queueId} AND a.user_id = ${userId}::uuid`;
