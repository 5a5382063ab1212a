import { ValuesModule } from '@hone/calls';
import { QueueWriteRepository } from '@hone/feedback';
import { ObjectVersionsRepository } from '@hone/objects';
import { Module } from '@nestjs/common';

import { TruthModule } from '../truth/truth.module.js';
import { AnnotationFields } from './annotation-fields.js';
import { CandidatesRepository } from './candidates.repository.js';
import { LabelPlansController } from './label-plans.controller.js';
import { LabelPlansService } from './label-plans.service.js';
import { LabelQueuesController } from './label-queues.controller.js';
import { LabelQueuesRepository } from './label-queues.repository.js';
import { LabelQueuesService } from './label-queues.service.js';

/** Labels that people are to give. */
@Module({
  imports: [TruthModule, ValuesModule],
  controllers: [LabelPlansController, LabelQueuesController],
  providers: [
    ObjectVersionsRepository,
    QueueWriteRepository,
    AnnotationFields,
    CandidatesRepository,
    LabelQueuesRepository,
    LabelPlansService,
    LabelQueuesService,
  ],
  exports: [CandidatesRepository],
})
export class LabelsModule {}
