import { Module } from '@nestjs/common';

import { CallsModule } from '../calls/calls.module.js';
import { TablesModule } from '../tables/tables.module.js';
import { EvalResultsController } from './eval-results.controller.js';
import { EvalResultsRepository } from './eval-results.repository.js';
import { EvalResultsService } from './eval-results.service.js';
import { EvaluationRunRepository } from './evaluation-run.repository.js';
import { EvaluationRunService } from './evaluation-run.service.js';
import { EvaluationRunsController } from './evaluation-runs.controller.js';
import { PredictionService } from './prediction.service.js';
import { PredictionsController } from './predictions.controller.js';
import { RunPlanService } from './run-plan.service.js';
import { ScoreService } from './score.service.js';
import { ScoresController } from './scores.controller.js';
import { TrackedCallService } from './tracked-call.service.js';

@Module({
  imports: [CallsModule, TablesModule],
  controllers: [EvaluationRunsController, PredictionsController, ScoresController, EvalResultsController],
  providers: [
    TrackedCallService,
    EvaluationRunService,
    EvaluationRunRepository,
    PredictionService,
    ScoreService,
    EvalResultsService,
    EvalResultsRepository,
    RunPlanService,
  ],
})
export class EvaluationRunsModule {}
