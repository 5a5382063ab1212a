import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { GatewayModule } from '../gateway/gateway.module.js';
import { GradingModule } from '../grading/grading.module.js';
import { KindsModule } from '../kinds/kinds.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { ScorersModule } from '../scorers/scorers.module.js';
import { StoredObjectsModule } from '../stored-objects/stored-objects.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { EditCostsJob } from './edit-costs-job.js';
import { EditItemsRepository } from './edit-items.repository.js';
import { EditWorker } from './edit-worker.js';
import { EditsService } from './edits.service.js';
import { PromptEditPlanner } from './prompt-edit-planner.service.js';
import { PromptEditsController } from './prompt-edits.controller.js';
import { PromptEditsRepository } from './prompt-edits.repository.js';
import { PromptEditsService } from './prompt-edits.service.js';
import { RowAnswers } from './row-answers.service.js';
import { RowScores } from './row-scores.service.js';
import { SearchSteps } from './search-steps.service.js';

/** Prompts that a model edits after reading where they failed. */
@Module({
  imports: [
    ...[AccessModule, GatewayModule, QueueModule, TelemetryModule, StoredObjectsModule],
    ...[KindsModule, ScorersModule, GradingModule, RunsModule],
  ],
  controllers: [PromptEditsController],
  providers: [
    ...[PromptEditsRepository, EditItemsRepository, PromptEditPlanner, PromptEditsService],
    ...[EditsService, RowAnswers, RowScores, SearchSteps, EditWorker, EditCostsJob],
  ],
  exports: [PromptEditsService],
})
export class PromptEditsModule {}
