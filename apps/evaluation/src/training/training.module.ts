import { Module } from '@nestjs/common';

import { GatewayModule } from '../gateway/gateway.module.js';
import { TrainingClient } from './training-client.js';

/** How models are trained. */
@Module({ imports: [GatewayModule], providers: [TrainingClient], exports: [TrainingClient] })
export class TrainingModule {}
