import { type DynamicModule, Module } from '@nestjs/common';

import { TRAINING_CONFIG, type TrainingConfig } from './training.config.js';

/** Provides the {@link TrainingConfig} to every feature. */
@Module({})
export class TrainingConfigModule {
  static forRoot(readConfig: () => TrainingConfig): DynamicModule {
    return {
      module: TrainingConfigModule,
      global: true,
      providers: [{ provide: TRAINING_CONFIG, useFactory: readConfig }],
      exports: [TRAINING_CONFIG],
    };
  }
}
