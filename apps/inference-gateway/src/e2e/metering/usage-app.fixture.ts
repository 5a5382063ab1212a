import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AuthModule } from '@hone/auth';
import { startTestApp, type TestApp } from '@hone/testing';
import { Module } from '@nestjs/common';

import { LimitsModule } from '../../limits/limits.module.js';
import { MeteringModule } from '../../metering/metering.module.js';
import { DEFAULT_JOURNAL_CONFIG, type UsageConfig } from '../../metering/recording/usage.config.js';
import { UsageModule } from '../../usage/usage.module.js';

export interface UsageApp extends TestApp {
  dataDir: string;
}

/** The metering module of the gateway, with its own database and data folder. */
export async function startUsageApp(config: Partial<UsageConfig> = {}): Promise<UsageApp> {
  const dataDir = config.dataDir ?? (await mkdtemp(join(tmpdir(), 'usage-')));
  const readConfig = () => ({ dataDir, journal: DEFAULT_JOURNAL_CONFIG, retentionDays: 400, ...config });
  class UsageAppModule {}
  Module({ imports: [AuthModule.forRoot(), MeteringModule.forRoot(readConfig), LimitsModule, UsageModule] })(
    UsageAppModule,
  );
  const app = await startTestApp(UsageAppModule, {}, { isOwn: true });
  return {
    ...app,
    dataDir,
    close: async () => {
      await app.close();
      if (!config.dataDir) await rm(dataDir, { recursive: true });
    },
  };
}
