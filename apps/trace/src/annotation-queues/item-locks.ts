import { Injectable } from '@nestjs/common';

import { type ItemKey, ProgressRepository } from './progress.repository.js';
import { QueueItemNotFoundError, QueueNotFoundError } from './queue.errors.js';
import type { ItemWork } from './queue.record.js';

/** Locks items for those who work on them. */
@Injectable()
export class ItemLocks {
  constructor(private readonly progress: ProgressRepository) {}

  /**
   * Locks an item until the transaction ends.
   *
   * @returns what the annotator finds then
   * @throws QueueItemNotFoundError, and QueueNotFoundError when the queue was deleted meanwhile
   */
  async lock(key: ItemKey, projectId: string, userId: string): Promise<ItemWork> {
    const item = await this.progress.lockItem(key);
    if (!item) throw new QueueItemNotFoundError(key.itemId, key.queueId);
    const work = await this.progress.findWork(key, item, userId);
    if (!work) throw new QueueNotFoundError(key.queueId, projectId);
    return work;
  }
}
