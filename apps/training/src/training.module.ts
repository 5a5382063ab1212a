import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from '@hone/auth';

import { AccessModule } from './access/access.module.js';
import { LargeBodiesModule } from './http/large-bodies/large-bodies.module.js';
import { StorageModule } from './storage/storage.module.js';
import type { TrainingConfig } from './training.config.js';
import { TrainingConfigModule } from './training-config.module.js';

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
      ],
    };
  }
}
