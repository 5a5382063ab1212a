import { Module } from '@nestjs/common';

import { ModelsModule } from '../models/models.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { AliasSplitRepository } from './alias-split.repository.js';
import { AliasSplitsController } from './alias-splits.controller.js';
import { AliasSplitsService } from './alias-splits.service.js';
import { CheckpointRepository } from './checkpoint.repository.js';
import { CheckpointAliasRepository } from './checkpoint-alias.repository.js';
import { CheckpointAliasesController } from './checkpoint-aliases.controller.js';
import { CheckpointAliasesService } from './checkpoint-aliases.service.js';
import { CheckpointFilesService } from './checkpoint-files.service.js';
import { CheckpointsController } from './checkpoints.controller.js';
import { CheckpointsService } from './checkpoints.service.js';
import { SplitTargets } from './split-targets.service.js';

@Module({
  imports: [ModelsModule, StorageModule],
  controllers: [CheckpointsController, CheckpointAliasesController, AliasSplitsController],
  providers: [
    AliasSplitsService,
    AliasSplitRepository,
    CheckpointAliasesService,
    CheckpointAliasRepository,
    CheckpointFilesService,
    CheckpointRepository,
    CheckpointsService,
    SplitTargets,
  ],
  exports: [CheckpointAliasRepository, CheckpointFilesService],
})
export class CheckpointsModule {}
