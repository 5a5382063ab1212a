import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { AuditPage, AuditRecord, VisibleEntries } from './audit-entry.js';

@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(
    { limit, after, actor, action, from, to }: AuditPage,
    { actorId, projectId }: VisibleEntries,
  ): Promise<AuditRecord[]> {
    const { client } = this.database;
    const wanted = actor === undefined ? null : await this.idOf(actor);
    if (wanted === undefined) return [];
    const rows = await client.auditLog.findMany({
      where: {
        AND: [actorId, wanted].flatMap((id) => (id === null ? [] : [{ actorId: id }])),
        ...(action !== undefined && { OR: [{ action }, { action: { startsWith: `${action}.` } }] }),
        ...((from ?? to) && { at: { gte: from, lt: to } }),
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

  /** undefined: there is no such user. */
  private async idOf(username: string): Promise<string | undefined> {
    return (await this.database.client.user.findUnique({ where: { username }, select: { id: true } }))?.id;
  }
}
