import { Module } from '@nestjs/common';

import { GatewayModule } from '../gateway/gateway.module.js';
import { ModelTraining } from './model-training.service.js';
import { TraceClient } from './trace-client.js';
import { TrainingClient } from './training-client.js';

/** Other services of Hone, which are asked in the name of a key. */
@Module({
  imports: [GatewayModule],
  providers: [TrainingClient, TraceClient, ModelTraining],
  exports: [TrainingClient, TraceClient, ModelTraining],
})
export class ServicesModule {}
