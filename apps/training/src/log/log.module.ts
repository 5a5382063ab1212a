import { Module } from '@nestjs/common';

import { ModelsModule } from '../models/models.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { LogController } from './log.controller.js';
import { LogRepository } from './log.repository.js';
import { LogService } from './log.service.js';
import { TrajectoriesService } from './trajectories.service.js';
import { TrajectoryRepository } from './trajectory.repository.js';

@Module({
  imports: [ModelsModule, StorageModule],
  controllers: [LogController],
  providers: [LogRepository, LogService, TrajectoriesService, TrajectoryRepository],
})
export class LogModule {}
