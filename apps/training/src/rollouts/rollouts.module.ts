import { Module } from '@nestjs/common';

import { DiagnosisModule } from '../diagnosis/diagnosis.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { RolloutsController } from './rollouts.controller.js';
import { RolloutsService } from './rollouts.service.js';

@Module({
  imports: [DiagnosisModule, JobsModule, StorageModule],
  controllers: [RolloutsController],
  providers: [RolloutsService],
})
export class RolloutsModule {}
