import { KeyRequests } from '@hone/service-client';
import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { BaseModelsModule } from '../base-models/base-models.module.js';
import { CheckpointsModule } from '../checkpoints/checkpoints.module.js';
import { JobProtocolModule } from '../job-protocol/job-protocol.module.js';
import { ModelsModule } from '../models/models.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { EngineCheck } from './engine-check.js';
import { JobAccess } from './job-access.js';
import { JobIntake } from './job-intake.js';
import { JobProjectRepository } from './job-project.repository.js';
import { JobViews } from './job-views.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';
import { JobsCreateService } from './jobs-create.service.js';
import { LearningRates } from './learning-rates.service.js';
import { ParentSteps } from './parent-steps.service.js';
import { RolloutOrders } from './rollout-orders.service.js';
import { TrainingData } from './training-data.js';
import { TrainingDataRepository } from './training-data.repository.js';

@Module({
  imports: [AccessModule, BaseModelsModule, CheckpointsModule, ModelsModule, StorageModule, JobProtocolModule],
  controllers: [JobsController],
  providers: [
    JobsService,
    JobsCreateService,
    EngineCheck,
    LearningRates,
    ParentSteps,
    KeyRequests,
    RolloutOrders,
    JobIntake,
    JobAccess,
    JobViews,
    JobProjectRepository,
    TrainingData,
    TrainingDataRepository,
  ],
  exports: [JobAccess, JobIntake, JobProtocolModule, ParentSteps, RolloutOrders, TrainingData],
})
export class JobsModule {}
