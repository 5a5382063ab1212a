import { Module } from '@nestjs/common';

import { ModelsModule } from '../models/models.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { CheckpointRepository } from './checkpoint.repository.js';
import { CheckpointAliasRepository } from './checkpoint-alias.repository.js';
import { CheckpointAliasesController } from './checkpoint-aliases.controller.js';
import { CheckpointAliasesService } from './checkpoint-aliases.service.js';
import { CheckpointFilesService } from './checkpoint-files.service.js';
import { CheckpointsController } from './checkpoints.controller.js';
import { CheckpointsService } from './checkpoints.service.js';

@Module({
  imports: [ModelsModule, StorageModule],
  controllers: [CheckpointsController, CheckpointAliasesController],
  providers: [
    CheckpointAliasesService,
    CheckpointAliasRepository,
    CheckpointFilesService,
    CheckpointRepository,
    CheckpointsService,
  ],
  exports: [CheckpointAliasRepository, CheckpointFilesService],
})
export class CheckpointsModule {}
