import { AuditLog } from '@hone/auth';
import { Injectable } from '@nestjs/common';

import { EntitiesRepository } from '../entities/entities.repository.js';
import type { EntityRecord } from '../entities/entity-record.js';
import { MembersRepository } from '../entities/members.repository.js';
import type { UserRecord } from '../users/user-record.js';
import { UsersRepository } from '../users/users.repository.js';

const ADMIN = 'admin';
const ENTITY = 'local';

/** The user whom a new server starts with, and their team. */
@Injectable()
export class BootstrapAdmin {
  constructor(
    private readonly users: UsersRepository,
    private readonly entities: EntitiesRepository,
    private readonly members: MembersRepository,
    private readonly audit: AuditLog,
  ) {}

  /** Makes what is missing and changes nothing that exists. */
  async ensure(): Promise<UserRecord> {
    const known = await this.entities.find(ENTITY);
    const entity = known ?? ((await this.entities.insert({ name: ENTITY, kind: 'team' })) as EntityRecord);
    const admin = (await this.users.find(ADMIN)) ?? (await this.create(entity.id));
    if (!known) await this.audit.add({ actorId: admin.id, action: 'entity.create', subject: ENTITY });
    if ((await this.members.findRole(entity.id, admin.id)) === null) {
      await this.members.put(entity.id, admin.id, 'owner');
      const detail = { username: ADMIN, role: 'owner', before: null };
      await this.audit.add({ actorId: admin.id, action: 'member.put', subject: ENTITY, detail });
    }
    return admin;
  }

  private async create(defaultEntityId: string): Promise<UserRecord> {
    const admin = (await this.users.insert({ username: ADMIN, isAdmin: true, defaultEntityId })) as UserRecord;
    await this.audit.add({ actorId: admin.id, action: 'user.create', subject: ADMIN, detail: { is_admin: true } });
    return admin;
  }
}
