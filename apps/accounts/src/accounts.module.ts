import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from '@hone/auth';

import { AccountsConfigModule } from './accounts-config.module.js';
import type { AccountsConfig } from './accounts.config.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuditModule } from './audit/audit.module.js';
import { BootstrapModule } from './bootstrap/bootstrap.module.js';
import { EntitiesModule } from './entities/entities.module.js';
import { MeModule } from './me/me.module.js';
import { MembersModule } from './members/members.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { UsersModule } from './users/users.module.js';

/** Who may use this server, and what they did to it. */
@Module({})
export class AccountsModule {
  /** @param readConfig called while the application is made, so that what it throws is an error of the start */
  static forRoot(readConfig: () => AccountsConfig): DynamicModule {
    return {
      module: AccountsModule,
      imports: [
        AuthModule.forRoot(),
        AccountsConfigModule.forRoot(readConfig),
        ApiKeysModule,
        AuditModule,
        BootstrapModule,
        EntitiesModule,
        MeModule,
        MembersModule,
        ProjectsModule,
        UsersModule,
      ],
    };
  }
}
