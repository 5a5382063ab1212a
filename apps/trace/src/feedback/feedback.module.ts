import { ValuesModule } from '@hone/calls';
import { FeedbackWriteRepository } from '@hone/feedback';
import { Module } from '@nestjs/common';

import { AnnotationQueuesModule } from '../annotation-queues/annotation-queues.module.js';
import { CursorsModule } from '../cursors/cursors.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { TimeBucketsModule } from '../time-buckets/time-buckets.module.js';
import { FeedbackErasureRepository } from './erasure/feedback-erasure.repository.js';
import { FeedbackController } from './feedback.controller.js';
import { FeedbackRepository } from './feedback.repository.js';
import { FeedbackService } from './feedback.service.js';
import { FeedbackChangeRepository } from './feedback-change.repository.js';
import { FeedbackChangeService } from './feedback-change.service.js';
import { FeedbackDrafter } from './feedback-drafter.js';
import { FeedbackHistoryRepository } from './history/feedback-history.repository.js';
import { FeedbackHistoryService } from './history/feedback-history.service.js';
import { FeedbackRevisionRepository } from './history/feedback-revision.repository.js';
import { FeedbackQueryRepository } from './query/feedback-query.repository.js';
import { FeedbackQueryService } from './query/feedback-query.service.js';
import { AnnotationSpecs } from './reserved-types/annotation-specs.js';
import { ReservedTypes } from './reserved-types/reserved-types.js';
import { FeedbackAggregateRepository } from './statistics/feedback-aggregate.repository.js';
import { FeedbackAggregateService } from './statistics/feedback-aggregate.service.js';
import { FeedbackStatisticsController } from './statistics/feedback-statistics.controller.js';
import { FeedbackStatsRepository } from './statistics/feedback-stats.repository.js';
import { FeedbackStatsService } from './statistics/feedback-stats.service.js';
import { PayloadSchemaRepository } from './statistics/payload-schema.repository.js';
import { PayloadSchemaService } from './statistics/payload-schema.service.js';

@Module({
  imports: [AnnotationQueuesModule, ObjectsModule, ValuesModule, TimeBucketsModule, CursorsModule],
  controllers: [FeedbackController, FeedbackStatisticsController],
  providers: [
    FeedbackDrafter,
    FeedbackService,
    FeedbackRepository,
    FeedbackWriteRepository,
    FeedbackChangeService,
    FeedbackChangeRepository,
    FeedbackRevisionRepository,
    FeedbackErasureRepository,
    FeedbackHistoryService,
    FeedbackHistoryRepository,
    FeedbackQueryService,
    FeedbackQueryRepository,
    PayloadSchemaService,
    PayloadSchemaRepository,
    FeedbackStatsService,
    FeedbackStatsRepository,
    FeedbackAggregateService,
    FeedbackAggregateRepository,
    ReservedTypes,
    AnnotationSpecs,
  ],
  exports: [
    FeedbackQueryRepository,
    FeedbackErasureRepository,
    FeedbackDrafter,
    FeedbackRepository,
    FeedbackChangeService,
    FeedbackChangeRepository,
    FeedbackRevisionRepository,
  ],
})
export class FeedbackModule {}
