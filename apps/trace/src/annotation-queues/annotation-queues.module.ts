import { Module } from '@nestjs/common';

import { QueueItemQueryRepository } from './queue-item-query.repository.js';
import { QueueListRepository } from './queue-list.repository.js';
import { QueueRepository } from './queue.repository.js';
import { QueueService } from './queue.service.js';
import { QueuesController } from './queues.controller.js';

@Module({
  controllers: [QueuesController],
  providers: [QueueService, QueueRepository, QueueListRepository, QueueItemQueryRepository],
  exports: [QueueRepository],
})
export class AnnotationQueuesModule {}
