import type { Role } from '@hone/contracts';
import { Database, newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { EntityKind, EntityRecord, EntityWithRole } from './entity-record.js';

@Injectable()
export class EntitiesRepository {
  constructor(private readonly database: Database) {}

  async find(name: string): Promise<EntityRecord | null> {
    const row = await this.database.client.entity.findUnique({ where: { name } });
    return row && { ...row, kind: row.kind as EntityKind };
  }

  /** The entity with the role that a user has in it now. */
  async findWithRole(name: string, userId: string): Promise<EntityWithRole | null> {
    const row = await this.database.client.entity.findUnique({
      where: { name },
      include: { memberships: { where: { userId } } },
    });
    return row && toEntityWithRole(row);
  }

  /** Entities with the role that a user has in each; by name. @param everywhere also those where they have none */
  async listWithRole(userId: string, everywhere: boolean): Promise<EntityWithRole[]> {
    const rows = await this.database.client.entity.findMany({
      ...(!everywhere && { where: { memberships: { some: { userId } } } }),
      include: { memberships: { where: { userId } } },
      orderBy: { name: 'asc' },
    });
    return rows.map(toEntityWithRole);
  }

  /** Null: the name is taken. Does not break the transaction it runs in. */
  async insert(draft: { name: string; kind: EntityKind }): Promise<EntityRecord | null> {
    const { count } = await this.database.client.entity.createMany({
      data: { id: newId(), ...draft },
      skipDuplicates: true,
    });
    return count === 1 ? this.find(draft.name) : null;
  }

  /** Locks the entity's row until the ambient transaction ends. */
  async lock(entityId: string): Promise<void> {
    await this.database.client.$executeRaw`SELECT id FROM entities WHERE id = ${entityId}::uuid FOR NO KEY UPDATE`;
  }
}

function toEntityWithRole(row: {
  id: string;
  name: string;
  kind: string;
  createdAt: Date;
  memberships: { role: string }[];
}): EntityWithRole {
  const { memberships, ...entity } = row;
  return { ...entity, kind: entity.kind as EntityKind, role: (memberships[0]?.role as Role | undefined) ?? null };
}
