import { readServiceConfig, runService } from '@hone/platform';

import { AccountsModule } from './accounts.module.js';
import { readAccountsConfig } from './config/accounts.config.js';

await runService(
  AccountsModule.forRoot(() => readAccountsConfig()),
  () => ({
    name: 'accounts',
    description: 'Users, entities, members, API keys, projects and the audit log.',
    config: readServiceConfig(),
  }),
);
