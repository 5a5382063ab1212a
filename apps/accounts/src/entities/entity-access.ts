import { AccessDeniedError, type Principal } from '@hone/auth';
import { type Role, ROLES } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { assertAccountScope } from '../access/caller.js';
import { EntityNotFoundError } from './entities.errors.js';
import { EntitiesRepository } from './entities.repository.js';
import type { EntityRecord } from './entity-record.js';

/** Decides who may do what to an entity. Reads the role from the database: what was granted a moment ago counts. */
@Injectable()
export class EntityAccess {
  constructor(private readonly entities: EntitiesRepository) {}

  /**
   * @throws AccessDeniedError the key lacks the scope; no such entity or no role in it, which look the same; a role too low
   * @throws EntityNotFoundError no such entity; only admins get this answer
   */
  async get(caller: Principal, name: string, needed: Role): Promise<EntityRecord> {
    assertAccountScope(caller);
    const entity = await this.entities.findWithRole(name, caller.userId);
    const role = caller.isAdmin ? 'owner' : entity?.role;
    if (!role) throw AccessDeniedError.noAccess(name);
    if (!entity) throw new EntityNotFoundError(name);
    if (ROLES.indexOf(role) < ROLES.indexOf(needed)) throw AccessDeniedError.needsRole(needed, name);
    return entity;
  }
}
