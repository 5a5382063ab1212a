import type { ItemWork, ProgressRecord } from './queue.record.js';

/** States from which nothing moves on by itself. */
export const isFinished = ({ state }: Pick<ProgressRecord, 'state'>): boolean =>
  state === 'completed' || state === 'skipped';

/** Whether an annotator holds one of the slots of an item: by a state, or by a lease that has not expired. */
export const holdsSlot = (progress: ProgressRecord | null): boolean =>
  progress !== null && (progress.state !== 'unstarted' || progress.leaseId !== null);

/** Whether an annotator who holds no slot of the item yet may take one. */
export const hasFreeSlot = ({ others, queue: { reviewersPerItem } }: Pick<ItemWork, 'others' | 'queue'>): boolean =>
  reviewersPerItem === null || others.filter(holdsSlot).length < reviewersPerItem;

/** Whether an annotator may work on the item at all. */
export const mayAnnotate = ({ queue, isAssigned }: Pick<ItemWork, 'queue' | 'isAssigned'>): boolean =>
  !queue.assignedOnly || isAssigned;

/** Whether an annotator may be given the item: its call is there as well. */
export const mayClaim = (work: Pick<ItemWork, 'queue' | 'isAssigned' | 'item'>): boolean =>
  work.item.callDeletedAt === null && mayAnnotate(work);
