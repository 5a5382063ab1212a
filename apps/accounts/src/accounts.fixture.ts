import type { ServiceConfig } from '@hone/platform';
import { startTestApp, type TestApp, type TestUser } from '@hone/testing';

import type { AccountsConfig } from './config/accounts.config.js';
import { AccountsModule } from './accounts.module.js';

export const BOOTSTRAP_KEY = 'a bootstrap key of the operator'.replaceAll(' ', '-') + '-0123456789';

/** The accounts service as a test uses it. */
export interface TestAccounts extends TestApp {
  /** The bootstrap user `admin`. */
  admin: TestUser;
}

export async function startAccounts(
  service: Partial<ServiceConfig> = {},
  accounts: AccountsConfig = { bootstrapApiKey: BOOTSTRAP_KEY, dataDir: '/nonexistent' },
): Promise<TestAccounts> {
  const started = await startTestApp(
    AccountsModule.forRoot(() => accounts),
    service,
  );
  return { ...started, admin: { id: '', username: 'admin', key: accounts.bootstrapApiKey ?? '', keyId: '' } };
}
