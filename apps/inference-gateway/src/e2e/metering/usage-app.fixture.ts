import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Module } from '@nestjs/common';
import { AuthModule } from '@hone/auth';
import { startTestApp, type TestApp } from '@hone/testing';

import { LimitsController } from '../../api/limits/limits.controller.js';
import { UsageReportController } from '../../api/usage/usage-report.controller.js';
import { MeteringModule } from '../../metering/metering.module.js';
import { DEFAULT_JOURNAL_CONFIG, type UsageConfig } from '../../metering/recording/usage.config.js';

export interface UsageApp extends TestApp {
  dataDir: string;
}

/** The metering module of the gateway, with its own database and data folder. */
export async function startUsageApp(config: Partial<UsageConfig> = {}): Promise<UsageApp> {
  const dataDir = config.dataDir ?? (await mkdtemp(join(tmpdir(), 'usage-')));
  const readConfig = () => ({ dataDir, journal: DEFAULT_JOURNAL_CONFIG, retentionDays: 400, ...config });
  class UsageAppModule {}
  Module({
    imports: [AuthModule.forRoot(), MeteringModule.forRoot(readConfig)],
    controllers: [LimitsController, UsageReportController],
  })(UsageAppModule);
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
