import { Module } from '@nestjs/common';

import { GatewayModule } from '../gateway/gateway.module.js';
import { ModelTraining } from './model-training.service.js';
import { TrainingClient } from './training-client.js';

/** How models are trained. */
@Module({
  imports: [GatewayModule],
  providers: [TrainingClient, ModelTraining],
  exports: [TrainingClient, ModelTraining],
})
export class TrainingModule {}
