import type { AnnotationState } from '@hone/contracts';

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
}

/** Where one annotator stands with one item; no record: unstarted. */
export interface ProgressRecord {
  userId: string;
  state: AnnotationState;
  updatedAt: Date;
}

/** A queue as it is stored; refs are without their scheme. */
export interface QueueRecord {
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
export type QueueChange = Partial<Pick<QueueRecord, 'name' | 'description' | 'scorerRefs'>>;

export interface QueueDraft {
  id: string;
  name: string;
  description: string;
  /** Without scheme. */
  scorerRefs: string[];
  createdBy: string;
}
