import { Module } from '@nestjs/common';

import { UsageReportController } from './usage-report.controller.js';
import { UsageReportRepository } from './usage-report.repository.js';
import { UsageReportService } from './usage-report.service.js';

/** Reports what projects used; `metering/recording` records it. */
@Module({ controllers: [UsageReportController], providers: [UsageReportService, UsageReportRepository] })
export class UsageModule {}
