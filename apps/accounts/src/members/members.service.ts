import { type AuditAction, AuditLog, KeyStore, type Principal } from '@hone/auth';
import type { MemberDto, MemberListDto, Role } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { assertUnbound } from '../access/caller.js';
import { EntitiesRepository } from '../entities/entities.repository.js';
import { EntityAccess } from '../entities/entity-access.js';
import type { EntityRecord } from '../entities/entity-record.js';
import { MembersRepository } from '../entities/members.repository.js';
import type { UserRecord } from '../users/user-record.js';
import { UsersRepository } from '../users/users.repository.js';
import { LastOwnerError, MemberNotFoundError } from './members.errors.js';

/** A user and the entity whose member they are, become, or stop being. */
interface Pair {
  entity: EntityRecord;
  user: UserRecord;
  /** Null: no member yet. */
  role: Role | null;
}

@Injectable()
export class MembersService {
  constructor(
    private readonly members: MembersRepository,
    private readonly entities: EntitiesRepository,
    private readonly users: UsersRepository,
    private readonly access: EntityAccess,
    private readonly audit: AuditLog,
    private readonly keys: KeyStore,
    private readonly database: Database,
  ) {}

  /**
   * @throws AccessDeniedError the caller is neither member of the entity nor admin
   * @throws EntityNotFoundError
   */
  async list(caller: Principal, entityName: string): Promise<MemberListDto> {
    assertUnbound(caller);
    const { id } = await this.access.get(caller, entityName, 'reader');
    return { data: (await this.members.list(id)).map((member) => ({ entity: entityName, ...member })) };
  }

  /**
   * Makes a user a member, or gives a member another role.
   *
   * @throws AccessDeniedError the caller is neither owner of the entity nor admin, or their key is bound to a project
   * @throws EntityNotFoundError, UserNotFoundError
   * @throws LastOwnerError the last owner would get another role
   */
  async put(caller: Principal, entityName: string, username: string, role: Role): Promise<MemberDto> {
    await this.change(caller, entityName, username, async ({ entity, user, role: before }) => {
      if (before === role) return null;
      if (before === 'owner') await this.assertOtherOwner(entity, user);
      await this.members.put(entity.id, user.id, role);
      return { action: 'member.put', detail: { username, role, before } };
    });
    return { entity: entityName, username, role };
  }

  /**
   * @returns the member as they were
   * @throws AccessDeniedError the caller is neither owner of the entity nor admin, or their key is bound to a project
   * @throws EntityNotFoundError, UserNotFoundError, MemberNotFoundError
   * @throws LastOwnerError they are the last owner
   */
  async delete(caller: Principal, entityName: string, username: string): Promise<MemberDto> {
    const role = await this.change(caller, entityName, username, async ({ entity, user, role: before }) => {
      if (before === null) throw new MemberNotFoundError(username, entityName);
      if (before === 'owner') await this.assertOtherOwner(entity, user);
      await this.members.delete(entity.id, user.id);
      return { action: 'member.delete', detail: { username, role: before } };
    });
    return { entity: entityName, username, role: role as Role };
  }

  /**
   * One change at a time per entity: two owners that remove each other at once would leave none.
   *
   * @returns the role before the change
   */
  private async change(
    caller: Principal,
    entityName: string,
    username: string,
    apply: (pair: Pair) => Promise<{ action: AuditAction; detail: Record<string, string | null> } | null>,
  ): Promise<Role | null> {
    assertUnbound(caller);
    return this.database.transaction(async () => {
      const { id } = await this.access.get(caller, entityName, 'owner');
      await this.entities.lock(id);
      // Again, because the transaction that held the lock may have taken the caller's role.
      const entity = await this.access.get(caller, entityName, 'owner');
      const user = await this.users.get(username);
      const role = await this.members.findRole(id, user.id);
      const done = await apply({ entity, user, role });
      if (done) {
        await this.audit.add({ actorId: caller.userId, subject: entityName, ...done });
        await this.keys.announceChange(user.id);
      }
      return role;
    });
  }

  private async assertOtherOwner(entity: EntityRecord, user: UserRecord): Promise<void> {
    if ((await this.members.countOwners(entity.id)) < 2) throw new LastOwnerError(user.username, entity.name);
  }
}
