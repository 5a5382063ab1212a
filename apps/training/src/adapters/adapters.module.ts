import { Module } from '@nestjs/common';

import { BaseModelsModule } from '../base-models/base-models.module.js';
import { CheckpointsModule } from '../checkpoints/checkpoints.module.js';
import { ModelsModule } from '../models/models.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { AdapterDownloadService } from './adapter-download.service.js';
import { AdaptersController } from './adapters.controller.js';
import { ImportService } from './import.service.js';
import { ImportProcesses } from './import-processes.js';
import { ImportedCheckpointRepository } from './imported-checkpoint.repository.js';

@Module({
  imports: [BaseModelsModule, CheckpointsModule, ModelsModule, StorageModule],
  controllers: [AdaptersController],
  providers: [AdapterDownloadService, ImportedCheckpointRepository, ImportProcesses, ImportService],
})
export class AdaptersModule {}
