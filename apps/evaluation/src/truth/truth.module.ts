import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { KindsModule } from '../kinds/kinds.module.js';
import { ScorersModule } from '../scorers/scorers.module.js';
import { LabelledCallsReader } from './labelled-calls.reader.js';
import { ReportsController } from './reports.controller.js';
import { ReportsService } from './reports.service.js';
import { VerdictGroupsRepository } from './verdict-groups.repository.js';

/** How far judges can be trusted. */
@Module({
  imports: [AccessModule, KindsModule, ScorersModule],
  controllers: [ReportsController],
  providers: [ReportsService, LabelledCallsReader, VerdictGroupsRepository],
  exports: [LabelledCallsReader, ReportsService],
})
export class TruthModule {}
