import { Module } from '@nestjs/common';

import { QueueRepository } from './queue.repository.js';
import { QueueService } from './queue.service.js';
import { QueuesController } from './queues.controller.js';

@Module({ controllers: [QueuesController], providers: [QueueService, QueueRepository], exports: [QueueRepository] })
export class AnnotationQueuesModule {}
