import { Module } from '@nestjs/common';

import { CallsModule } from '../calls/calls.module.js';
import { TimeBucketsModule } from '../time-buckets/time-buckets.module.js';
import { ChartWindowsRepository } from './chart-windows.repository.js';
import { ChartsController } from './charts.controller.js';
import { ChartsRepository } from './charts.repository.js';
import { ChartsService } from './charts.service.js';
import { CallHoursRepository } from './hours/call-hours.repository.js';
import { HoursJob } from './hours/hours-job.js';
import { KnownModels } from './known-models.js';

/**
 * Figures of calls over time. `hours` keeps sums of the calls of each hour; a chart reads these, and the calls themselves
 * where an hour has changed since.
 */
@Module({
  imports: [CallsModule, TimeBucketsModule],
  controllers: [ChartsController],
  providers: [ChartsService, ChartsRepository, ChartWindowsRepository, KnownModels, CallHoursRepository, HoursJob],
})
export class ChartsModule {}
