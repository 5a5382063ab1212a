import { CallSelector, FeedbackWaysRepository, SearchStateRepository, SearchWaysRepository } from '@hone/call-queries';
import { ValuesModule } from '@hone/calls';
import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { ArtifactsModule } from '../artifacts/artifacts.module.js';
import { DiagnosisModule } from '../diagnosis/diagnosis.module.js';
import { ModelsModule } from '../models/models.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { Collector } from './collector.js';
import { CoverageRepository } from './coverage.repository.js';
import { DataCallsRepository } from './data-calls.repository.js';
import { DataDiagnosis } from './data-diagnosis.js';
import { DataPublisher } from './data-publisher.js';
import { DataSlots } from './data-slots.js';
import { FromCallsService } from './from-calls.service.js';
import { LineageController } from './lineage/lineage.controller.js';
import { LineageRepository } from './lineage/lineage.repository.js';
import { LineageService } from './lineage/lineage.service.js';
import { Policies } from './policies.js';
import { PoliciesRepository } from './policies.repository.js';
import { CallsSourceRepository } from './source/calls-source.repository.js';
import { TrainingDataController } from './training-data.controller.js';

/**
 * Training data of calls. `source`: calls with their feedback, one after another; `rewards`: feedback as numbers;
 * `arranging`: lines, groups, splits and files; `lineage`: what came of what.
 */
@Module({
  imports: [AccessModule, ArtifactsModule, DiagnosisModule, ModelsModule, StorageModule, ValuesModule],
  controllers: [TrainingDataController, LineageController],
  providers: [
    CallSelector,
    FeedbackWaysRepository,
    SearchStateRepository,
    SearchWaysRepository,
    FromCallsService,
    DataSlots,
    Collector,
    CoverageRepository,
    CallsSourceRepository,
    Policies,
    PoliciesRepository,
    DataDiagnosis,
    DataPublisher,
    DataCallsRepository,
    LineageService,
    LineageRepository,
  ],
})
export class TrainingDataModule {}
