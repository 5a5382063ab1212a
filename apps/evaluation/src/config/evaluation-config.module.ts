import { type DynamicModule, Module } from '@nestjs/common';

import { EVALUATION_CONFIG, type EvaluationConfig } from './evaluation.config.js';

/** Provides the {@link EvaluationConfig} to every feature. */
@Module({})
export class EvaluationConfigModule {
  static forRoot(readConfig: () => EvaluationConfig): DynamicModule {
    return {
      module: EvaluationConfigModule,
      global: true,
      providers: [{ provide: EVALUATION_CONFIG, useFactory: readConfig }],
      exports: [EVALUATION_CONFIG],
    };
  }
}
