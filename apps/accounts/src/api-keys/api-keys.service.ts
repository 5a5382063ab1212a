import { Injectable } from '@nestjs/common';
import { AccessDeniedError, ApiKeyNotFoundError, AuditLog, KeyStore, newApiKey, type Principal } from '@hone/auth';
import {
  type ApiKeyCreatedDto,
  type ApiKeyCreateDto,
  type ApiKeyDto,
  type ApiKeyListDto,
  isUuid,
} from '@hone/contracts';
import { Database } from '@hone/database';

import { assertAccountScope } from '../access/caller.js';
import { UsersRepository } from '../users/users.repository.js';
import { assertConsistent, toApiKeyDraft } from './api-key-draft.js';
import { toApiKeyDto } from './api-key.mapper.js';
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
   * @throws AccessDeniedError the key would do more than the calling key, or is for another user and the caller no admin
   * @throws UserNotFoundError
   */
  async create(caller: Principal, body: ApiKeyCreateDto): Promise<ApiKeyCreatedDto> {
    assertConsistent(body);
    assertAccountScope(caller);
    const username = body.username ?? caller.username;
    if (username !== caller.username && !caller.isAdmin) throw AccessDeniedError.needsAdmin();
    const draft = toApiKeyDraft(caller, await this.users.get(username), body);
    const key = newApiKey();
    const record = await this.database.transaction(async () => {
      const made = await this.apiKeys.insert(key, draft);
      const detail = { username, label: made.label, scopes: made.scopes, project: made.onlyProject };
      await this.audit.add({ actorId: caller.userId, action: 'api_key.create', subject: made.id, detail });
      await this.keys.announceChange(made.userId);
      return made;
    });
    return { ...toApiKeyDto(record), key };
  }

  /**
   * The caller's keys, newest first; an admin gets everyone's.
   *
   * @throws AccessDeniedError the key lacks the scope
   */
  async list(caller: Principal): Promise<ApiKeyListDto> {
    assertAccountScope(caller);
    const keys = await this.apiKeys.list(caller.isAdmin ? undefined : caller.userId);
    return { data: keys.map(toApiKeyDto) };
  }

  /**
   * Ends a key in every process within a second. Again is as good as once.
   *
   * @throws AccessDeniedError the calling key lacks the scope
   * @throws ApiKeyNotFoundError no such key, or another user's and the caller no admin
   */
  async revoke(caller: Principal, id: string): Promise<ApiKeyDto> {
    assertAccountScope(caller);
    const found = isUuid(id) ? await this.apiKeys.find(id) : null;
    if (!found || (found.userId !== caller.userId && !caller.isAdmin)) throw new ApiKeyNotFoundError(id);
    await this.database.transaction(async () => {
      if (!(await this.apiKeys.revoke(id))) return;
      const detail = { username: found.username, label: found.label };
      await this.audit.add({ actorId: caller.userId, action: 'api_key.revoke', subject: found.id, detail });
      await this.keys.announceChange(found.userId);
    });
    return toApiKeyDto(await this.apiKeys.get(id));
  }
}
