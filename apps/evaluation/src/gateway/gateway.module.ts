import { KeyRequests } from '@hone/service-client';
import { Module } from '@nestjs/common';

import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { GatewayClient } from './gateway-client.js';

/** How models are asked. */
@Module({ imports: [TelemetryModule], providers: [KeyRequests, GatewayClient], exports: [GatewayClient, KeyRequests] })
export class GatewayModule {}
