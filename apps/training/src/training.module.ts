import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from '@hone/auth';

import { AccessModule } from './access/access.module.js';
import { ArtifactsModule } from './artifacts/artifacts.module.js';
import { CheckpointsModule } from './checkpoints/checkpoints.module.js';
import { DiagnosisModule } from './diagnosis/diagnosis.module.js';
import { EventsModule } from './events/events.module.js';
import { LargeBodiesModule } from './http/large-bodies/large-bodies.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LogModule } from './log/log.module.js';
import { ModelsModule } from './models/models.module.js';
import { ReaperModule } from './reaper/reaper.module.js';
import { StorageModule } from './storage/storage.module.js';
import { SystemModule } from './system/system.module.js';
import { TrainingConfigModule } from './training-config.module.js';
import type { TrainingConfig } from './training.config.js';

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
        LogModule,
        ArtifactsModule,
        JobsModule,
        EventsModule,
        ReaperModule,
        SystemModule,
        DiagnosisModule,
      ],
    };
  }
}
