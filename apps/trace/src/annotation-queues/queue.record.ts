import type { AnnotationState } from '@hone/contracts';
import type { QueueRules } from '@hone/feedback';

export interface QueueItemRecord {
  id: string;
  queueId: string;
  callId: string;
  callStartedAt: Date;
  callEndedAt: Date | null;
  callOpName: string;
  callTraceId: string;
  displayFields: string[];
  createdAt: Date;
  createdBy: string;
  addedBy: string | null;
  updatedAt: Date;
  deletedAt: Date | null;
  /** Null: the call is there. */
  callDeletedAt: Date | null;
}

/** Where one annotator stands with one item; no record: unstarted. */
export interface ProgressRecord {
  userId: string;
  state: AnnotationState;
  updatedAt: Date;
  /** The item is reserved for the annotator until {@link leaseExpiresAt}. Null: it is not. */
  leaseId: string | null;
  leaseExpiresAt: Date | null;
}

/** An item as one annotator finds it under the item's lock. Leases that have expired are ended. */
export interface ItemWork {
  item: QueueItemRecord;
  /** Null: the annotator has no record. */
  own: ProgressRecord | null;
  others: ProgressRecord[];
  queue: QueueRules;
  /** Whether the annotator is an assignee of the item. */
  isAssigned: boolean;
}

/** A queue as it is stored; refs are without their scheme. */
export interface QueueRecord extends QueueRules {
  id: string;
  name: string;
  description: string;
  scorerRefs: string[];
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  deletedAt: Date | null;
}

/** What changes of a queue; undefined: nothing. */
export type QueueChange = Partial<Pick<QueueRecord, 'name' | 'description' | 'scorerRefs'> & QueueRules>;
