import { Module } from '@nestjs/common';
import { AuthModule } from '@hone/auth';

import { AnnotationQueuesModule } from './annotation-queues/annotation-queues.module.js';
import { CallsModule } from './calls/calls.module.js';
import { EvaluationsModule } from './evaluations/evaluations.module.js';
import { FeedbackModule } from './feedback/feedback.module.js';
import { ModelsModule } from './models/models.module.js';
import { ObjectsModule } from './objects/objects.module.js';

@Module({
  imports: [
    AuthModule.forRoot(),
    FeedbackModule,
    ObjectsModule,
    AnnotationQueuesModule,
    ModelsModule,
    EvaluationsModule,
    CallsModule,
  ],
})
export class TraceModule {}
