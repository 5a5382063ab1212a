import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { BaseModelsModule } from '../base-models/base-models.module.js';
import { JobProtocolModule } from '../job-protocol/job-protocol.module.js';
import { CheckpointNotifications } from './checkpoint-notifications.repository.js';
import { MetricMeansRepository } from './metric-means.repository.js';
import { ModelRepository } from './model.repository.js';
import { ModelAccess } from './model-access.js';
import { ModelDeleteRepository } from './model-delete.repository.js';
import { ModelListRepository } from './model-list.repository.js';
import { ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';

@Module({
  imports: [AccessModule, BaseModelsModule, JobProtocolModule],
  controllers: [ModelsController],
  providers: [
    CheckpointNotifications,
    MetricMeansRepository,
    ModelAccess,
    ModelDeleteRepository,
    ModelListRepository,
    ModelRepository,
    ModelsService,
  ],
  exports: [CheckpointNotifications, MetricMeansRepository, ModelAccess],
})
export class ModelsModule {}
