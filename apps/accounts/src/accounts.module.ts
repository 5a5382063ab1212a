import { AuthModule } from '@hone/auth';
import { type DynamicModule, Module } from '@nestjs/common';

import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuditModule } from './audit/audit.module.js';
import { BootstrapModule } from './bootstrap/bootstrap.module.js';
import type { AccountsConfig } from './config/accounts.config.js';
import { AccountsConfigModule } from './config/accounts-config.module.js';
import { EntitiesModule } from './entities/entities.module.js';
import { MeModule } from './me/me.module.js';
import { MembersModule } from './members/members.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { UsersModule } from './users/users.module.js';

/**
 * Users, keys, entities, projects and the audit log. Its layers, top first; an import may only point down (lint):
 *
 * - bootstrap: the administrator and the key that a new installation starts with -> api-keys, users, entities, config
 * - me: what a key may do -> api-keys, users, entities, access
 * - api-keys: keys -> users, access
 * - members: who belongs to an entity, with which role -> users, entities, access
 * - users: users -> entities, access
 * - projects: projects -> entities, access
 * - entities: teams and users as owners, and their memberships -> access, config
 * - audit: the audit log -> access
 * - sessions: browsers that are signed in with a key
 * - access: who is calling
 * - config: settings
 */
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
        SessionsModule,
        UsersModule,
      ],
    };
  }
}
