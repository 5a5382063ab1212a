import { Module } from '@nestjs/common';

import { AnnotationQueuesModule } from '../annotation-queues/annotation-queues.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { ValuesModule } from '../values/values.module.js';
import { FeedbackChangeRepository } from './feedback-change.repository.js';
import { FeedbackChangeService } from './feedback-change.service.js';
import { FeedbackController } from './feedback.controller.js';
import { FeedbackDrafter } from './feedback-drafter.js';
import { FeedbackRepository } from './feedback.repository.js';
import { FeedbackService } from './feedback.service.js';
import { FeedbackQueryRepository } from './query/feedback-query.repository.js';
import { FeedbackQueryService } from './query/feedback-query.service.js';
import { PayloadSchemaRepository } from './query/payload-schema.repository.js';
import { PayloadSchemaService } from './query/payload-schema.service.js';
import { AnnotationSpecs } from './reserved-types/annotation-specs.js';
import { ReservedTypes } from './reserved-types/reserved-types.js';

@Module({
  imports: [AnnotationQueuesModule, ObjectsModule, ValuesModule],
  controllers: [FeedbackController],
  providers: [
    FeedbackDrafter,
    FeedbackService,
    FeedbackRepository,
    FeedbackChangeService,
    FeedbackChangeRepository,
    FeedbackQueryService,
    FeedbackQueryRepository,
    PayloadSchemaService,
    PayloadSchemaRepository,
    ReservedTypes,
    AnnotationSpecs,
  ],
  exports: [FeedbackQueryRepository],
})
export class FeedbackModule {}
