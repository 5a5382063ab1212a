import { Module } from '@nestjs/common';

import { TruthModule } from '../truth/truth.module.js';
import { LabelPlansController } from './label-plans.controller.js';
import { LabelPlansService } from './label-plans.service.js';

/** Labels that people are to give. */
@Module({
  imports: [TruthModule],
  controllers: [LabelPlansController],
  providers: [LabelPlansService],
})
export class LabelsModule {}
