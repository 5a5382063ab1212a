import type { ServiceConfig } from '@hone/platform';
import { startTestApp, type TestApp, type TestUser } from '@hone/testing';

import { AccountsModule } from './accounts.module.js';
import type { AccountsConfig } from './config/accounts.config.js';

export const BOOTSTRAP_KEY = 'a bootstrap key of the operator'.replaceAll(' ', '-') + '-0123456789';

/** The accounts service as a test uses it. */
export interface TestAccounts extends TestApp {
  /** The bootstrap user `admin`. */
  admin: TestUser;
}

export const DEFAULT_CONFIG: AccountsConfig = {
  bootstrapApiKey: BOOTSTRAP_KEY,
  dataDir: '/nonexistent',
  entityCreators: 'admin',
};
/** One object, so that its booted service is used again. */
const DEFAULT_MODULE = AccountsModule.forRoot(() => DEFAULT_CONFIG);

export async function startAccounts(
  service: Partial<ServiceConfig> = {},
  accounts: AccountsConfig = DEFAULT_CONFIG,
): Promise<TestAccounts> {
  const module = accounts === DEFAULT_CONFIG ? DEFAULT_MODULE : AccountsModule.forRoot(() => accounts);
  const started = await startTestApp(module, service, module === DEFAULT_MODULE ? {} : { isOwn: true });
  return { ...started, admin: { id: '', username: 'admin', key: accounts.bootstrapApiKey ?? '', keyId: '' } };
}
