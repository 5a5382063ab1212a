import { Module } from '@nestjs/common';

import { ClaimRepository } from './claim.repository.js';
import { ClaimService } from './claim.service.js';
import { ClaimsController } from './claims.controller.js';
import { ItemLocks } from './item-locks.js';
import { ProgressRepository } from './progress.repository.js';
import { ProgressService } from './progress.service.js';
import { QueueAccess } from './queue-access.js';
import { QueueItemQueryRepository } from './queue-item-query.repository.js';
import { QueueListRepository } from './queue-list.repository.js';
import { QueueRepository } from './queue.repository.js';
import { QueueService } from './queue.service.js';
import { QueuesController } from './queues.controller.js';

@Module({
  controllers: [QueuesController, ClaimsController],
  providers: [
    QueueService,
    ProgressService,
    ClaimService,
    QueueAccess,
    ItemLocks,
    QueueRepository,
    QueueListRepository,
    QueueItemQueryRepository,
    ProgressRepository,
    ClaimRepository,
  ],
  exports: [QueueRepository],
})
export class AnnotationQueuesModule {}
