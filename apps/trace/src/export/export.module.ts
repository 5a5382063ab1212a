import { Module } from '@nestjs/common';

import { CallsModule } from '../calls/calls.module.js';
import { FeedbackModule } from '../feedback/feedback.module.js';
import { ExportController } from './export.controller.js';
import { ExportRepository } from './export.repository.js';
import { ExportService } from './export.service.js';

@Module({
  imports: [CallsModule, FeedbackModule],
  controllers: [ExportController],
  providers: [ExportService, ExportRepository],
})
export class ExportModule {}
