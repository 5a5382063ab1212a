import { Module } from '@nestjs/common';

import { GatewayClient } from './gateway-client.js';

/** How models are asked. */
@Module({ providers: [GatewayClient], exports: [GatewayClient] })
export class GatewayModule {}
