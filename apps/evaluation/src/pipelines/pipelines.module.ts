import { PricesRepository } from '@hone/calls';
import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { GatesModule } from '../gates/gates.module.js';
import { LabelsModule } from '../labels/labels.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { ScorersModule } from '../scorers/scorers.module.js';
import { ServicesModule } from '../services/services.module.js';
import { TruthModule } from '../truth/truth.module.js';
import { PipelineRunsController } from './pipeline-runs.controller.js';
import { PipelineRunsRepository } from './pipeline-runs.repository.js';
import { PipelineSafety } from './pipeline-safety.service.js';
import { PipelineWorker } from './pipeline-worker.js';
import { PipelinesController } from './pipelines.controller.js';
import { PipelinesRepository } from './pipelines.repository.js';
import { PipelinesService } from './pipelines.service.js';
import { RunSteps } from './run-steps.service.js';
import { TrainingSteps } from './training-steps.service.js';
import { WorkCancel } from './work-cancel.service.js';

/** Loops that train, compare and promote by themselves. */
@Module({
  imports: [
    AccessModule,
    QueueModule,
    GatesModule,
    LabelsModule,
    RunsModule,
    ScorersModule,
    ServicesModule,
    TruthModule,
  ],
  controllers: [PipelinesController, PipelineRunsController],
  providers: [
    PricesRepository,
    PipelinesService,
    PipelinesRepository,
    PipelineRunsRepository,
    PipelineSafety,
    PipelineWorker,
    RunSteps,
    WorkCancel,
    TrainingSteps,
  ],
  exports: [PipelineSafety, WorkCancel],
})
export class PipelinesModule {}
