import { Module } from '@nestjs/common';

import { BASE_MODELS_CONFIG, readBaseModelsConfig } from './base-models.config.js';
import { BaseModels } from './base-models.js';

@Module({
  providers: [BaseModels, { provide: BASE_MODELS_CONFIG, useFactory: () => readBaseModelsConfig() }],
  exports: [BaseModels],
})
export class BaseModelsModule {}
