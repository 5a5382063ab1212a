import { QueueWriteRepository } from '@hone/feedback';
import { Module } from '@nestjs/common';

import { CursorsModule } from '../cursors/cursors.module.js';
import { AgreementController } from './agreement/agreement.controller.js';
import { AgreementService } from './agreement/agreement.service.js';
import { RatingRepository } from './agreement/rating.repository.js';
import { AssignmentRepository } from './assignment.repository.js';
import { AssignmentService } from './assignment.service.js';
import { AssignmentsController } from './assignments.controller.js';
import { ClaimRepository } from './claim.repository.js';
import { ClaimService } from './claim.service.js';
import { ClaimsController } from './claims.controller.js';
import { EndedItemsRepository } from './ended-items.repository.js';
import { ItemLocks } from './item-locks.js';
import { ProgressRepository } from './progress.repository.js';
import { ProgressService } from './progress.service.js';
import { QueueRepository } from './queue.repository.js';
import { QueueService } from './queue.service.js';
import { QueueAccess } from './queue-access.js';
import { QueueItemQueryRepository } from './queue-item-query.repository.js';
import { QueueListRepository } from './queue-list.repository.js';
import { QueuesController } from './queues.controller.js';

@Module({
  imports: [CursorsModule],
  controllers: [QueuesController, ClaimsController, AssignmentsController, AgreementController],
  providers: [
    QueueService,
    ProgressService,
    ClaimService,
    AssignmentService,
    QueueAccess,
    ItemLocks,
    QueueRepository,
    QueueWriteRepository,
    QueueListRepository,
    QueueItemQueryRepository,
    ProgressRepository,
    ClaimRepository,
    AssignmentRepository,
    EndedItemsRepository,
    AgreementService,
    RatingRepository,
  ],
  exports: [QueueRepository, EndedItemsRepository],
})
export class AnnotationQueuesModule {}
