import {
  AccessDeniedError,
  ApiKeyNotFoundError,
  AuditLog,
  KeyStore,
  mayManageKey,
  newApiKey,
  type Principal,
} from '@hone/auth';
import {
  type ApiKeyCreatedDto,
  type ApiKeyCreateDto,
  type ApiKeyDto,
  type ApiKeyListDto,
  isUuid,
} from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { assertAccountScope, assertUnbound } from '../access/caller.js';
import { UsersRepository } from '../users/users.repository.js';
import { toApiKeyDto } from './api-key.mapper.js';
import { assertConsistent, toApiKeyDraft } from './api-key-draft.js';
import { ApiKeysRepository } from './api-keys.repository.js';

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly apiKeys: ApiKeysRepository,
    private readonly users: UsersRepository,
    private readonly audit: AuditLog,
    private readonly keys: KeyStore,
    private readonly database: Database,
  ) {}

  /**
   * Makes a key and answers it, this one time.
   *
   * @throws ValidationError no scope, an expiry in the past, a default project outside the key's project
   * @throws AccessDeniedError the key would do more than the calling key, or is for another user and the caller no admin, or
   *   the calling key is bound to a project
   * @throws UserNotFoundError
   */
  async create(caller: Principal, body: ApiKeyCreateDto): Promise<ApiKeyCreatedDto> {
    assertConsistent(body);
    assertAccountScope(caller);
    const username = body.username ?? caller.username;
    if (username !== caller.username) assertUnbound(caller);
    if (username !== caller.username && !caller.isAdmin) throw AccessDeniedError.needsAdmin();
    const draft = toApiKeyDraft(caller, await this.users.get(username), body);
    const key = newApiKey();
    const record = await this.database.transaction(async () => {
      const made = await this.apiKeys.insert(key, draft);
      const detail = { username, label: made.label, scopes: made.scopes, project: made.onlyProject };
      const { id: subject, onlyProject: projectId } = made;
      await this.audit.add({ actorId: caller.userId, action: 'api_key.create', subject, projectId, detail });
      await this.keys.announceChange(made.userId);
      return made;
    });
    return { ...toApiKeyDto(record), key };
  }

  /**
   * The caller's keys, newest first; an admin gets everyone's. A key that is bound to a project shows those that are bound
   * to the same one.
   *
   * @throws AccessDeniedError the key lacks the scope
   */
  async list(caller: Principal): Promise<ApiKeyListDto> {
    assertAccountScope(caller);
    const keys = await this.apiKeys.list(caller.isAdmin ? undefined : caller.userId);
    return { data: keys.filter((key) => mayManageKey(caller, key)).map(toApiKeyDto) };
  }

  /**
   * Ends a key in every process within a second. Again is as good as once.
   *
   * @throws AccessDeniedError the calling key lacks the scope
   * @throws ApiKeyNotFoundError no such key, or another user's and the caller no admin, or the calling key is bound to
   *   a project and this one is not bound to the same
   */
  async revoke(caller: Principal, id: string): Promise<ApiKeyDto> {
    assertAccountScope(caller);
    const found = isUuid(id) ? await this.apiKeys.find(id) : null;
    if (!found || !mayManageKey(caller, found)) throw new ApiKeyNotFoundError(id);
    await this.database.transaction(async () => {
      if (!(await this.apiKeys.revoke(id))) return;
      const detail = { username: found.username, label: found.label };
      const { id: subject, onlyProject: projectId } = found;
      await this.audit.add({ actorId: caller.userId, action: 'api_key.revoke', subject, projectId, detail });
      await this.keys.announceChange(found.userId);
    });
    return toApiKeyDto(await this.apiKeys.get(id));
  }
}
