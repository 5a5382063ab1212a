import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { AuditPage, AuditRecord, VisibleEntries } from './audit-entry.js';

@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list({ limit, after }: AuditPage, { actorId, projectId }: VisibleEntries): Promise<AuditRecord[]> {
    const { client } = this.database;
    const rows = await client.auditLog.findMany({
      where: {
        ...(actorId && { actorId }),
        ...(projectId && { project: projectId }),
        ...(after && { id: { lt: after } }),
      },
      orderBy: { id: 'desc' },
      take: limit,
    });
    const users = await client.user.findMany({
      where: { id: { in: [...new Set(rows.map((row) => row.actorId))] } },
      select: { id: true, username: true },
    });
    const names = new Map(users.map(({ id, username }) => [id, username]));
    return rows.map(({ actorId: id, ...row }) => ({ ...row, actor: names.get(id) ?? id }));
  }
}
