import { Module } from '@nestjs/common';

import { JobsModule } from '../jobs/jobs.module.js';
import { ModelsModule } from '../models/models.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { DIAGNOSIS_CONFIG, readDiagnosisConfig } from './diagnosis.config.js';
import { DiagnosisController } from './diagnosis.controller.js';
import { DiagnosisRepository } from './diagnosis.repository.js';
import { DiagnosisService } from './diagnosis.service.js';
import { PlanningProcesses } from './planning-processes.js';
import { SftLines } from './sft-lines.js';

@Module({
  imports: [JobsModule, ModelsModule, StorageModule],
  controllers: [DiagnosisController],
  providers: [
    DiagnosisService,
    DiagnosisRepository,
    PlanningProcesses,
    SftLines,
    { provide: DIAGNOSIS_CONFIG, useFactory: () => readDiagnosisConfig() },
  ],
})
export class DiagnosisModule {}
