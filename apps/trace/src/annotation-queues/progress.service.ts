import type { Principal } from '@hone/auth';
import type { AnnotationState, ProgressResultDto, ProgressUpdateDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { ItemLocks } from './item-locks.js';
import { type ItemKey, ProgressRepository } from './progress.repository.js';
import { CallDeletedError, IllegalTransitionError, NotAssignedError, ReviewersFullError } from './queue.errors.js';
import { toQueueItem } from './queue.mapper.js';
import type { ItemWork, ProgressRecord } from './queue.record.js';
import { QueueAccess } from './queue-access.js';
import { hasFreeSlot, holdsSlot, isFinished, mayAnnotate } from './review-slots.js';

const MOVES: Record<AnnotationState, readonly AnnotationState[]> = {
  unstarted: ['in_progress', 'completed', 'skipped'],
  in_progress: ['completed', 'skipped'],
  completed: [],
  skipped: [],
};

/** Moves the states of annotators. */
@Injectable()
export class ProgressService {
  constructor(
    private readonly queues: QueueAccess,
    private readonly locks: ItemLocks,
    private readonly progress: ProgressRepository,
    private readonly database: Database,
  ) {}

  /**
   * Moves the caller's own state of an item. A move to the state that it has changes nothing.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError, QueueItemNotFoundError
   * @throws NotAssignedError the queue is for assignees alone
   * @throws IllegalTransitionError
   * @throws CallDeletedError the call of the item was deleted
   * @throws ReviewersFullError others hold all slots of the item
   */
  async move(
    annotator: Principal,
    queueId: string,
    itemId: string,
    { project_id: projectId, annotation_state: to }: ProgressUpdateDto,
  ): Promise<ProgressResultDto> {
    const { projectRowId } = await this.queues.get(annotator, projectId, queueId, 'annotator');
    const key = { projectRowId, queueId, itemId };
    return this.database.transaction(async () => {
      const work = await this.locks.lock(key, projectId, annotator.userId);
      if (!mayAnnotate(work)) throw new NotAssignedError(itemId);
      if (work.item.callDeletedAt !== null) throw new CallDeletedError(itemId);
      const own = await this.moveOnce(key, work, annotator.userId, to);
      return { item: toQueueItem(projectId, work.item, own) };
    });
  }

  private async moveOnce(
    key: ItemKey,
    work: ItemWork,
    userId: string,
    to: AnnotationState,
  ): Promise<ProgressRecord | null> {
    const { own, others, queue } = work;
    const from = own?.state ?? 'unstarted';
    if (from === to) return own;
    if (!MOVES[from].includes(to)) throw IllegalTransitionError.between(from, to);
    if (!holdsSlot(own) && !hasFreeSlot(work)) throw new ReviewersFullError(key.itemId, queue.reviewersPerItem ?? 0);
    const moved = { userId, state: to, updatedAt: new Date(), leaseId: null, leaseExpiresAt: null };
    const { leaseId = null, leaseExpiresAt = null } = own ?? {};
    const saved = isFinished(moved) ? moved : { ...moved, leaseId, leaseExpiresAt };
    await this.progress.save(key, saved);
    if (isFinished(saved)) await this.progress.setFinishedCount(key, others.filter(isFinished).length + 1);
    return saved;
  }
}
