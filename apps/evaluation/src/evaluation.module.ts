import { AuthModule } from '@hone/auth';
import { type DynamicModule, Module } from '@nestjs/common';

import type { EvaluationConfig } from './config/evaluation.config.js';
import { EvaluationConfigModule } from './config/evaluation-config.module.js';
import { ScorerKindsModule } from './scorer-kinds/scorer-kinds.module.js';

/**
 * The evaluation service. Its layers, top first; an import may only point down (lint):
 *
 * - scorer-kinds: what kinds of scorers there are -> access
 * - access: who is calling
 * - config: settings
 */
@Module({})
export class EvaluationModule {
  /** @param readConfig called while the application is made, so that what it throws is an error of the start */
  static forRoot(readConfig: () => EvaluationConfig): DynamicModule {
    return {
      module: EvaluationModule,
      imports: [AuthModule.forRoot(), EvaluationConfigModule.forRoot(readConfig), ScorerKindsModule],
    };
  }
}
