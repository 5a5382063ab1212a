import { Database, newId, type Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ItemKey } from './progress.repository.js';

export interface AssigneeRecord {
  userId: string;
  username: string;
  createdAt: Date;
  createdBy: string;
}

/** A change to the work of others, as it is stored with the change itself. */
export interface AuditDraft {
  actorId: string;
  action: 'assign' | 'reopen';
  before: Prisma.InputJsonObject;
  after: Prisma.InputJsonObject;
  reason: string | null;
}

export interface AuditRecord extends Omit<AuditDraft, 'before' | 'after' | 'action'> {
  id: string;
  itemId: string;
  action: string;
  before: unknown;
  after: unknown;
  at: Date;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Who should annotate items, and what people changed of the work of others. */
@Injectable()
export class AssignmentRepository {
  constructor(private readonly database: Database) {}

  /** Which of these users may annotate in an entity: id by the given id or username. */
  async findAnnotators(entity: string, by: 'id' | 'username', names: string[]): Promise<Map<string, string>> {
    const isAnnotator = { some: { entity: { name: entity }, role: { in: ['annotator', 'writer', 'owner'] } } };
    const users = await this.database.client.user.findMany({
      where: {
        ...(by === 'id' ? { id: { in: names.filter((name) => UUID.test(name)) } } : { username: { in: names } }),
        OR: [{ isAdmin: true }, { memberships: isAnnotator }],
      },
      select: { id: true, username: true },
    });
    return new Map(users.map((user) => [user[by], user.id]));
  }

  /** The assignees of an item, by username. */
  async list({ projectRowId, queueId, itemId }: ItemKey): Promise<AssigneeRecord[]> {
    return this.database.client.$queryRaw<AssigneeRecord[]>`
      SELECT a.user_id AS "userId", u.username, a.created_at AS "createdAt", a.created_by AS "createdBy"
      FROM annotation_assignees a JOIN users u ON u.id = a.user_id
      WHERE a.project_id = ${projectRowId}::uuid AND a.queue_id = ${queueId} AND a.item_id = ${itemId}
      ORDER BY u.username`;
  }

  /** Makes these the assignees of an item; those who were stay as they are. */
  async replace({ projectRowId: projectId, queueId, itemId }: ItemKey, userIds: string[], by: string): Promise<void> {
    const { annotationAssignee } = this.database.client;
    await annotationAssignee.deleteMany({ where: { projectId, queueId, itemId, userId: { notIn: userIds } } });
    const createdAt = new Date();
    await annotationAssignee.createMany({
      data: userIds.map((userId) => ({ projectId, queueId, itemId, userId, createdAt, createdBy: by })),
      skipDuplicates: true,
    });
  }

  /** Call it in the transaction of the change: neither is stored without the other. */
  async addAudit({ projectRowId: projectId, queueId, itemId }: ItemKey, draft: AuditDraft): Promise<void> {
    const data = { projectId, queueId, itemId, id: newId(), at: new Date(), ...draft };
    await this.database.client.annotationAudit.create({ data });
  }

  /** What was changed of an item, the oldest first. */
  async listAudit({ projectRowId: projectId, queueId, itemId }: ItemKey): Promise<AuditRecord[]> {
    return this.database.client.annotationAudit.findMany({
      where: { projectId, queueId, itemId },
      orderBy: [{ at: 'asc' }, { id: 'asc' }],
      omit: { projectId: true, queueId: true },
    });
  }
}
