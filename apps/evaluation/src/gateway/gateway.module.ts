import { Module } from '@nestjs/common';

import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { GatewayClient } from './gateway-client.js';
import { KeySessions } from './key-sessions.js';

/** How models are asked. */
@Module({ imports: [TelemetryModule], providers: [GatewayClient, KeySessions], exports: [GatewayClient, KeySessions] })
export class GatewayModule {}
