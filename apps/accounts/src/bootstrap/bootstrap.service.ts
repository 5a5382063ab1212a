import { AuditLog, KeyStore } from '@hone/auth';
import { SCOPES } from '@hone/contracts';
import { Database } from '@hone/database';
import { StartupError, whenDatabaseIsUp } from '@hone/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

import { ApiKeysRepository } from '../api-keys/api-keys.repository.js';
import { ACCOUNTS_CONFIG, type AccountsConfig } from '../config/accounts.config.js';
import type { UserRecord } from '../users/user-record.js';
import { BootstrapRepository } from './bootstrap.repository.js';
import { BootstrapAdmin } from './bootstrap-admin.js';
import { type KeptKey, keptKey } from './key-file.js';

const LABEL = 'bootstrap';
const CHOSEN_KEY = 'HONE_BOOTSTRAP_API_KEY';

/** Sees to it, before the service listens, that there is an admin with a key. */
@Injectable()
export class BootstrapService implements OnApplicationBootstrap {
  constructor(
    private readonly repository: BootstrapRepository,
    private readonly admin: BootstrapAdmin,
    private readonly apiKeys: ApiKeysRepository,
    private readonly audit: AuditLog,
    private readonly keys: KeyStore,
    private readonly database: Database,
    private readonly adapterHost: HttpAdapterHost,
    @Inject(ACCOUNTS_CONFIG) private readonly config: AccountsConfig,
  ) {}

  /** @throws StartupError the key is another user's, or the data folder cannot be used */
  async onApplicationBootstrap(): Promise<void> {
    const { bootstrapApiKey, dataDir } = this.config;
    const kept = bootstrapApiKey ? undefined : await keptKey(dataDir);
    const key = kept?.key ?? (bootstrapApiKey as string);
    const isLive = await whenDatabaseIsUp(() =>
      this.database.transaction(async () => {
        await this.repository.lock();
        return this.ensureKey(await this.admin.ensure(), key, kept === undefined);
      }),
    );
    if (!isLive) this.warnOfRevokedKey(kept?.path ?? CHOSEN_KEY);
    else if (kept?.isNew) showOnce(kept);
  }

  /** @returns false: the key is revoked, and stays so */
  private async ensureKey(admin: UserRecord, key: string, isChosen: boolean): Promise<boolean> {
    const known = await this.apiKeys.findByKey(key);
    if (known && known.userId !== admin.id) throw new StartupError('The bootstrap key is the key of another user.');
    if (known?.revokedAt) return false;
    const { id } = known ?? (await this.create(admin, key));
    if (isChosen) await this.revokeOthers(admin, id);
    return true;
  }

  private async create(admin: UserRecord, key: string): Promise<{ id: string }> {
    const made = await this.apiKeys.insert(key, {
      userId: admin.id,
      label: LABEL,
      scopes: [...SCOPES],
      onlyProject: null,
      defaultProject: `${admin.defaultEntity}/default`,
      chatDefaults: null,
      minPriority: 0,
      models: null,
      expiresAt: null,
      isBootstrap: true,
    });
    const detail = { username: admin.username, label: LABEL, scopes: made.scopes, project: null };
    await this.audit.add({ actorId: admin.id, action: 'api_key.create', subject: made.id, detail });
    return made;
  }

  /** When the operator configures another key, the previous bootstrap key is revoked. */
  private async revokeOthers(admin: UserRecord, keptId: string): Promise<void> {
    for (const { id } of await this.apiKeys.listLiveBootstrapKeys()) {
      if (id === keptId || !(await this.apiKeys.revoke(id))) continue;
      const detail = { username: admin.username, label: LABEL };
      await this.audit.add({ actorId: admin.id, action: 'api_key.revoke', subject: id, detail });
      await this.keys.announceChange(admin.id);
    }
  }

  private warnOfRevokedKey(source: string): void {
    const { log } = this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
    log.warn(`The bootstrap key of ${source} is revoked and stays so. To get in with a new one, set ${CHOSEN_KEY}.`);
  }
}

/** On standard output and not in the log, which may be kept. */
function showOnce({ key, path }: KeptKey): void {
  console.log(`API key of the user admin (shown once, kept in ${path}): ${key}`);
}
