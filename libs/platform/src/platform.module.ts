import { DatabaseModule } from '@hone/database';
import { type DynamicModule, Module, type Type } from '@nestjs/common';

import type { AppOptions } from './config/app-options.js';
import { RefScheme } from './config/ref-scheme.js';
import { RefSchemeRepository } from './config/ref-scheme.repository.js';
import { SERVICE_CONFIG } from './config/service.config.js';
import { DiskState } from './errors/disk-state.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { IdempotencyCleaner } from './idempotency/idempotency-cleaner.js';
import { IdempotentWrites } from './idempotency/idempotent-writes.js';
import { RUNS_JOBS } from './jobs/periodic-job.js';
import { ProbesController } from './probes/probes.controller.js';
import { Readiness } from './probes/readiness.js';

/** What every service has: the database, probes, idempotency, its configuration. */
@Module({})
export class PlatformModule {
  static wrap(module: Type | DynamicModule, { config, runsJobs = true }: AppOptions): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      imports: [DatabaseModule.forRoot({ url: config.databaseUrl, poolSize: config.poolSize }), module],
      controllers: [ProbesController],
      providers: [
        { provide: SERVICE_CONFIG, useValue: config },
        { provide: RUNS_JOBS, useValue: runsJobs },
        IdempotencyRepository,
        IdempotencyCleaner,
        IdempotentWrites,
        Readiness,
        DiskState,
        RefScheme,
        RefSchemeRepository,
      ],
      exports: [SERVICE_CONFIG, RUNS_JOBS, IdempotencyRepository, IdempotentWrites, Readiness, DiskState, RefScheme],
    };
  }
}
