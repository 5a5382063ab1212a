import type { Role } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

@Injectable()
export class MembersRepository {
  constructor(private readonly database: Database) {}

  /** The user's role in the entity; null: no member. */
  async findRole(entityId: string, userId: string): Promise<Role | null> {
    const where = { entityId_userId: { entityId, userId } };
    const row = await this.database.client.membership.findUnique({ where, select: { role: true } });
    return (row?.role as Role | undefined) ?? null;
  }

  /** All members of the entity, by their usernames. */
  async list(entityId: string): Promise<{ username: string; role: Role }[]> {
    const select = { role: true, user: { select: { username: true } } };
    const orderBy = { user: { username: 'asc' } } as const;
    const rows = await this.database.client.membership.findMany({ where: { entityId }, select, orderBy });
    return rows.map(({ role, user }) => ({ username: user.username, role: role as Role }));
  }

  async countOwners(entityId: string): Promise<number> {
    return this.database.client.membership.count({ where: { entityId, role: 'owner' } });
  }

  async put(entityId: string, userId: string, role: Role): Promise<void> {
    const where = { entityId_userId: { entityId, userId } };
    await this.database.client.membership.upsert({ where, create: { entityId, userId, role }, update: { role } });
  }

  async delete(entityId: string, userId: string): Promise<void> {
    await this.database.client.membership.deleteMany({ where: { entityId, userId } });
  }
}
