import { readServiceConfig, runService } from '@hone/platform';

import { readAccountsConfig } from './config/accounts.config.js';
import { AccountsModule } from './accounts.module.js';

await runService(
  AccountsModule.forRoot(() => readAccountsConfig()),
  () => ({
    name: 'accounts',
    description: 'Users, entities, members, API keys, projects and the audit log.',
    config: readServiceConfig(),
  }),
);
