import { Module } from '@nestjs/common';

import { CallsModule } from '../calls/calls.module.js';
import { OtlpController } from './otlp.controller.js';
import { OtlpService } from './otlp.service.js';

@Module({
  imports: [CallsModule],
  controllers: [OtlpController],
  providers: [OtlpService],
})
export class OtlpModule {}
