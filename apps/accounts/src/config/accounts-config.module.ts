import { type DynamicModule, Module } from '@nestjs/common';

import { ACCOUNTS_CONFIG, type AccountsConfig } from './accounts.config.js';

/** Provides the {@link AccountsConfig} to every feature. */
@Module({})
export class AccountsConfigModule {
  static forRoot(readConfig: () => AccountsConfig): DynamicModule {
    return {
      module: AccountsConfigModule,
      global: true,
      providers: [{ provide: ACCOUNTS_CONFIG, useFactory: readConfig }],
      exports: [ACCOUNTS_CONFIG],
    };
  }
}
