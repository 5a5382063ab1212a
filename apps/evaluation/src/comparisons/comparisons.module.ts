import { PricesRepository, ValuesModule } from '@hone/calls';
import { ObjectVersionsRepository } from '@hone/objects';
import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { ScorersModule } from '../scorers/scorers.module.js';
import { ComparedRunsRepository } from './compared-runs.repository.js';
import { ComparedScorers } from './compared-scorers.js';
import { ComparisonThreads } from './comparison-threads.js';
import { ComparisonsController } from './comparisons.controller.js';
import { ComparisonsService } from './comparisons.service.js';
import { RunPlans } from './run-plans.js';

/** Evaluation runs beside each other. */
@Module({
  imports: [AccessModule, ScorersModule, ValuesModule],
  controllers: [ComparisonsController],
  providers: [
    ComparisonsService,
    ComparedRunsRepository,
    ComparedScorers,
    ComparisonThreads,
    ObjectVersionsRepository,
    PricesRepository,
    RunPlans,
  ],
})
export class ComparisonsModule {}
