import { ValuesModule } from '@hone/calls';
import { Module } from '@nestjs/common';

import { CallsModule } from '../calls/calls.module.js';
import { SpanEventRepository } from './events/span-event.repository.js';
import { SpanEventService } from './events/span-event.service.js';
import { SpanEventJob } from './events/span-event-job.js';
import { LangfuseOtlpController, OtlpController } from './otlp.controller.js';
import { OtlpService } from './otlp.service.js';

/** Spans of OpenTelemetry as calls. `vocabulary`: what attributes mean; `events`: messages that come as log records. */
@Module({
  imports: [CallsModule, ValuesModule],
  controllers: [OtlpController, LangfuseOtlpController],
  providers: [OtlpService, SpanEventService, SpanEventRepository, SpanEventJob],
})
export class OtlpModule {}
