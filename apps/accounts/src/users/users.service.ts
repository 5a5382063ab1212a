import { AuditLog, KeyStore, type Principal } from '@hone/auth';
import type { UserCreateDto, UserDto, UserListDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { assertAdmin, assertUnbound } from '../access/caller.js';
import { EntityNameTakenError } from '../entities/entities.errors.js';
import { EntitiesRepository } from '../entities/entities.repository.js';
import { MembersRepository } from '../entities/members.repository.js';
import { toUserDto } from './user.mapper.js';
import type { UserRecord } from './user-record.js';
import { UsernameTakenError } from './users.errors.js';
import { UsersRepository } from './users.repository.js';

/** The username of Basic credentials that goes with every key. */
const RESERVED_USERNAME = 'api';

@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly entities: EntitiesRepository,
    private readonly members: MembersRepository,
    private readonly audit: AuditLog,
    private readonly keys: KeyStore,
    private readonly database: Database,
  ) {}

  /**
   * Makes a user, and the entity of the same name that they own.
   *
   * @throws AccessDeniedError the caller is no admin, or their key is bound to a project
   * @throws UsernameTakenError a user has the name, or it is reserved
   * @throws EntityNameTakenError an entity has the name
   */
  async create(caller: Principal, { username, is_admin }: UserCreateDto): Promise<UserDto> {
    assertAdmin(caller);
    assertUnbound(caller);
    if (username === RESERVED_USERNAME) throw new UsernameTakenError(username);
    const user = await this.database.transaction(async () => {
      const made = await this.insert(username, is_admin ?? false);
      const detail = { is_admin: made.isAdmin };
      await this.audit.add({ actorId: caller.userId, action: 'user.create', subject: username, detail });
      await this.keys.announceChange(made.id);
      return made;
    });
    return toUserDto(user);
  }

  /** @throws AccessDeniedError the caller is no admin, or their key is bound to a project */
  async list(caller: Principal): Promise<UserListDto> {
    assertAdmin(caller);
    assertUnbound(caller);
    return { data: (await this.users.list()).map(toUserDto) };
  }

  private async insert(username: string, isAdmin: boolean): Promise<UserRecord> {
    const entity = await this.entities.insert({ name: username, kind: 'user' });
    if (!entity) {
      throw (await this.users.find(username)) ? new UsernameTakenError(username) : new EntityNameTakenError(username);
    }
    const user = await this.users.insert({ username, isAdmin, defaultEntityId: entity.id });
    if (!user) throw new UsernameTakenError(username);
    await this.members.put(entity.id, user.id, 'owner');
    return user;
  }
}
