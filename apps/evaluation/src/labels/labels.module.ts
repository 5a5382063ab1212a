import { QueueWriteRepository } from '@hone/feedback';
import { Module } from '@nestjs/common';

import { StoredObjectsModule } from '../stored-objects/stored-objects.module.js';
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
  imports: [StoredObjectsModule, TruthModule],
  controllers: [LabelPlansController, LabelQueuesController],
  providers: [
    QueueWriteRepository,
    AnnotationFields,
    CandidatesRepository,
    LabelQueuesRepository,
    LabelPlansService,
    LabelQueuesService,
  ],
  exports: [CandidatesRepository, AnnotationFields, QueueWriteRepository],
})
export class LabelsModule {}
