import { opensEntity, type Principal } from '@hone/auth';
import type { MeDto, Role } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { assertAccountScope } from '../access/caller.js';
import { toApiKeyDto } from '../api-keys/api-key.mapper.js';
import { ApiKeysRepository } from '../api-keys/api-keys.repository.js';
import { EntitiesRepository } from '../entities/entities.repository.js';
import { toEntityDto } from '../entities/entity.mapper.js';
import { toUserDto } from '../users/user.mapper.js';
import { UsersRepository } from '../users/users.repository.js';

@Injectable()
export class MeService {
  constructor(
    private readonly users: UsersRepository,
    private readonly entities: EntitiesRepository,
    private readonly apiKeys: ApiKeysRepository,
  ) {}

  /**
   * Who is calling, the entities that they are a member of, and the key that they use. A key that is bound to a project shows
   * the entity of it alone.
   *
   * @throws AccessDeniedError the key lacks the scope
   */
  async read(caller: Principal): Promise<MeDto> {
    assertAccountScope(caller);
    const user = await this.users.get(caller.username);
    const entities = await this.entities.listWithRole(caller.userId, false);
    const key = await this.apiKeys.get(caller.keyId);
    const visible = entities.filter(({ name }) => opensEntity(caller, name));
    return {
      user: toUserDto(user),
      entities: visible.map((entity) => toEntityDto(entity, caller.isAdmin ? 'owner' : (entity.role as Role))),
      api_key: toApiKeyDto(key),
    };
  }
}
