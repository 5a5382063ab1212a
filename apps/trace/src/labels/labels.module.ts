import { Module } from '@nestjs/common';

import { ObjectsModule } from '../objects/objects.module.js';
import { LabelRepository } from './label.repository.js';
import { LabelService } from './label.service.js';
import { LabelsController } from './labels.controller.js';

@Module({
  imports: [ObjectsModule],
  controllers: [LabelsController],
  providers: [LabelService, LabelRepository],
})
export class LabelsModule {}
