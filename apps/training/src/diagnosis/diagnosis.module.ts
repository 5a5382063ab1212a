import { Module } from '@nestjs/common';

import { BaseModelsModule } from '../base-models/base-models.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { ModelsModule } from '../models/models.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { DataLines } from './data-lines.js';
import { DiagnosisController } from './diagnosis.controller.js';
import { DiagnosisRepository } from './diagnosis.repository.js';
import { DiagnosisService } from './diagnosis.service.js';
import { PlanningProcesses } from './planning-processes.js';

@Module({
  imports: [BaseModelsModule, JobsModule, ModelsModule, StorageModule],
  controllers: [DiagnosisController],
  providers: [DiagnosisService, DiagnosisRepository, PlanningProcesses, DataLines],
  exports: [DiagnosisService, DataLines],
})
export class DiagnosisModule {}
