import { join } from 'node:path';

import { CallTreeRepository, ValuesModule } from '@hone/calls';
import { newId } from '@hone/database';
import { type DynamicModule, Module } from '@nestjs/common';

import { CallLog } from '../call-log/call-log.service.js';
import { CallLogSettingsRepository } from '../call-log/call-log-settings.repository.js';
import { CallLogSettings } from '../call-log/call-log-settings.service.js';
import { LargeEntries } from '../call-log/large-entries.js';
import { Redactor } from '../call-log/redaction/redactor.js';
import { MetricRegistry } from '../shared/metrics/metric-registry.js';
import { SYSTEM_CLOCK } from '../shared/time/clock.js';
import { CompletionEstimates } from './limits/completion-estimates.js';
import { LimitsRepository } from './limits/limits.repository.js';
import { LimitsLifecycle } from './limits/limits-lifecycle.js';
import { UsageLimiter } from './limits/usage-limiter.js';
import { UsageProjects } from './projects/usage-projects.service.js';
import { MeteringService } from './recording/metering.service.js';
import { USAGE_CONFIG, type UsageConfig } from './recording/usage.config.js';
import { UsageDriftRepository } from './recording/usage-drift.repository.js';
import { UsageHousekeeping } from './recording/usage-housekeeping.service.js';
import { UsageMetrics } from './recording/usage-metrics.js';
import { UsagePartitionsRepository } from './recording/usage-partitions.repository.js';
import { UsageRecordsRepository } from './recording/usage-records.repository.js';

const LIMITER = {
  provide: UsageLimiter,
  useFactory: (limits: LimitsRepository, metrics: UsageMetrics) =>
    new UsageLimiter(limits, { clock: SYSTEM_CLOCK, holder: newId(), onFailure: () => metrics.limitFailures.add(1) }),
  inject: [LimitsRepository, UsageMetrics],
};

const LARGE_ENTRIES = {
  provide: LargeEntries,
  useFactory: ({ dataDir, journal }: UsageConfig) =>
    new LargeEntries(join(dataDir, 'gateway', 'calls'), journal.sync === 'fsync'),
  inject: [USAGE_CONFIG],
};

const REDACTOR = { provide: Redactor, useFactory: () => new Redactor() };

/** Providers that the routes use; housekeeping is exported for specs. */
const SHARED = [
  CallLogSettings,
  CompletionEstimates,
  LimitsRepository,
  LIMITER,
  MeteringService,
  REDACTOR,
  UsageHousekeeping,
  UsageProjects,
];

/** Metering: reserves limits before a request, and journals its usage at the end. */
@Module({})
export class MeteringModule {
  /** @param readConfig called while the application starts, so that its errors fail the start */
  static forRoot(readConfig: () => UsageConfig): DynamicModule {
    return {
      module: MeteringModule,
      global: true,
      imports: [ValuesModule],
      providers: [
        { provide: USAGE_CONFIG, useFactory: readConfig },
        ...SHARED,
        CallLog,
        CallTreeRepository,
        CallLogSettingsRepository,
        LARGE_ENTRIES,
        LimitsLifecycle,
        UsageDriftRepository,
        MetricRegistry,
        UsageMetrics,
        UsagePartitionsRepository,
        UsageRecordsRepository,
      ],
      exports: SHARED,
    };
  }
}
