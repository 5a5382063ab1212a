import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { KindsModule } from '../kinds/kinds.module.js';
import { LabelsModule } from '../labels/labels.module.js';
import { ScoringsModule } from '../scorings/scorings.module.js';
import { TruthModule } from '../truth/truth.module.js';
import { BiasEvidence } from './bias-evidence.service.js';
import { BiasReportsController } from './bias-reports.controller.js';
import { BiasReportsRepository } from './bias-reports.repository.js';
import { BiasReportsService } from './bias-reports.service.js';

/** How judges may be biased. */
@Module({
  imports: [AccessModule, KindsModule, LabelsModule, ScoringsModule, TruthModule],
  controllers: [BiasReportsController],
  providers: [BiasEvidence, BiasReportsRepository, BiasReportsService],
})
export class BiasModule {}
