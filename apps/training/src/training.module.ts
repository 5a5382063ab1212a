import { AuthModule } from '@hone/auth';
import { type DynamicModule, Module } from '@nestjs/common';

import { AccessModule } from './access/access.module.js';
import { AdaptersModule } from './adapters/adapters.module.js';
import { ArtifactsModule } from './artifacts/artifacts.module.js';
import { CheckpointsModule } from './checkpoints/checkpoints.module.js';
import type { TrainingConfig } from './config/training.config.js';
import { TrainingConfigModule } from './config/training-config.module.js';
import { DiagnosisModule } from './diagnosis/diagnosis.module.js';
import { EventsModule } from './events/events.module.js';
import { LargeBodiesModule } from './http/large-bodies/large-bodies.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LogModule } from './log/log.module.js';
import { ModelsModule } from './models/models.module.js';
import { ReaperModule } from './reaper/reaper.module.js';
import { RolloutsModule } from './rollouts/rollouts.module.js';
import { StorageModule } from './storage/storage.module.js';
import { SystemModule } from './system/system.module.js';
import { TrainingDataModule } from './training-data/training-data.module.js';

/**
 * The training service. Its layers, top first; an import may only point down (lint):
 *
 * - training-data: data that is made of calls -> diagnosis, artifacts, models, access, storage, http, config
 * - rollouts: what a job learned from -> diagnosis, jobs, storage, http
 * - diagnosis: dry runs of training data -> jobs, artifacts, models, base-models, child-processes, storage, http, config
 * - events: events of a job, as pages and as streams -> jobs, http, config
 * - jobs: creating, reading and cancelling jobs -> artifacts, checkpoints, models, base-models, job-protocol, access, storage, http, config
 * - artifacts: uploaded files -> models, access, storage, http, config
 * - adapters: import and download of checkpoints -> checkpoints, models, base-models, child-processes, storage, http, config
 * - checkpoints: weights at a step -> models, access, storage, http
 * - log: logged trajectories and metrics -> models, storage, http
 * - models: trainable models -> base-models, job-protocol, access, http
 * - reaper: ends jobs past their deadlines -> job-protocol
 * - system: health and the system check -> job-protocol, config
 * - job-protocol: the shared library of jobs, made injectable -> config
 * - access: who may see which entity
 * - base-models: folders of the base models -> config
 * - child-processes: work in processes of their own -> http
 * - storage: the artifact store -> config
 * - http: pages, query parameters, large bodies, uploads, downloads -> config
 * - config: settings
 */
@Module({})
export class TrainingModule {
  /** @param readConfig called while the application is made, so that what it throws is an error of the start */
  static forRoot(readConfig: () => TrainingConfig): DynamicModule {
    return {
      module: TrainingModule,
      imports: [
        TrainingConfigModule.forRoot(readConfig),
        AuthModule.forRoot(),
        AccessModule,
        LargeBodiesModule,
        StorageModule,
        ModelsModule,
        CheckpointsModule,
        AdaptersModule,
        LogModule,
        ArtifactsModule,
        JobsModule,
        EventsModule,
        ReaperModule,
        SystemModule,
        DiagnosisModule,
        TrainingDataModule,
        RolloutsModule,
      ],
    };
  }
}
