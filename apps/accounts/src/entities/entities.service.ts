import { AuditLog, KeyStore, opensEntity, type Principal } from '@hone/auth';
import type { EntityCreateDto, EntityDto, EntityListDto, Role } from '@hone/contracts';
import { Database } from '@hone/database';
import { Inject, Injectable } from '@nestjs/common';

import { assertAccountScope, assertAdmin, assertUnbound } from '../access/caller.js';
import { ACCOUNTS_CONFIG, type AccountsConfig } from '../config/accounts.config.js';
import { EntityNameTakenError } from './entities.errors.js';
import { EntitiesRepository } from './entities.repository.js';
import { toEntityDto } from './entity.mapper.js';
import { MembersRepository } from './members.repository.js';

@Injectable()
export class EntitiesService {
  constructor(
    private readonly entities: EntitiesRepository,
    private readonly members: MembersRepository,
    private readonly audit: AuditLog,
    private readonly keys: KeyStore,
    private readonly database: Database,
    @Inject(ACCOUNTS_CONFIG) private readonly config: AccountsConfig,
  ) {}

  /**
   * Makes a team; the caller becomes its owner.
   *
   * @throws AccessDeniedError the key lacks the scope, or is bound to a project, or only administrators make teams
   * @throws EntityNameTakenError a team or user has the name
   */
  async create(caller: Principal, { name }: EntityCreateDto): Promise<EntityDto> {
    assertUnbound(caller);
    if (this.config.entityCreators === 'admin') assertAdmin(caller);
    const entity = await this.database.transaction(async () => {
      const made = await this.entities.insert({ name, kind: 'team' });
      if (!made) throw new EntityNameTakenError(name);
      await this.members.put(made.id, caller.userId, 'owner');
      await this.audit.add({ actorId: caller.userId, action: 'entity.create', subject: name });
      await this.keys.announceChange(caller.userId);
      return made;
    });
    return toEntityDto(entity, 'owner');
  }

  /**
   * Those that the caller is a member of, by name; an admin gets all, a key that is bound to a project the one of it.
   *
   * @throws AccessDeniedError the key lacks the scope
   */
  async list(caller: Principal): Promise<EntityListDto> {
    assertAccountScope(caller);
    const entities = await this.entities.listWithRole(caller.userId, caller.isAdmin);
    const visible = entities.filter(({ name }) => opensEntity(caller, name));
    return { data: visible.map((entity) => toEntityDto(entity, caller.isAdmin ? 'owner' : (entity.role as Role))) };
  }
}
