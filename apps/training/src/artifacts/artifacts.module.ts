import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { ModelsModule } from '../models/models.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { ArtifactRepository } from './artifact.repository.js';
import { ArtifactWriteRepository } from './artifact-write.repository.js';
import { ArtifactsController } from './artifacts.controller.js';
import { ArtifactsService } from './artifacts.service.js';
import { UploadService } from './upload.service.js';

@Module({
  imports: [AccessModule, ModelsModule, StorageModule],
  controllers: [ArtifactsController],
  providers: [ArtifactRepository, ArtifactWriteRepository, ArtifactsService, UploadService],
  exports: [ArtifactWriteRepository],
})
export class ArtifactsModule {}
