import { PricesRepository, ValuesModule } from '@hone/calls';
import { ObjectVersionsRepository } from '@hone/objects';
import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { KindsModule } from '../kinds/kinds.module.js';
import { ScorersModule } from '../scorers/scorers.module.js';
import { CallSetsRepository } from './call-sets.repository.js';
import { CallSources } from './call-sources.service.js';
import { ComparedLines } from './compared-lines.repository.js';
import { ComparedRunsRepository } from './compared-runs.repository.js';
import { ComparedScorers } from './compared-scorers.js';
import { ComparisonThreads } from './comparison-threads.js';
import { ComparisonsController } from './comparisons.controller.js';
import { ComparisonsService } from './comparisons.service.js';
import { RunPlans } from './run-plans.js';
import { RunSources } from './run-sources.service.js';

/** Evaluation runs, and sets of live calls, beside each other. */
@Module({
  imports: [AccessModule, KindsModule, ScorersModule, ValuesModule],
  controllers: [ComparisonsController],
  providers: [
    ComparisonsService,
    CallSetsRepository,
    CallSources,
    ComparedLines,
    ComparedRunsRepository,
    ComparedScorers,
    ComparisonThreads,
    ObjectVersionsRepository,
    PricesRepository,
    RunPlans,
    RunSources,
  ],
  exports: [CallSources, ComparedScorers, RunSources],
})
export class ComparisonsModule {}
