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

export interface QueueDraft {
  id: string;
  name: string;
  description: string;
  /** Without scheme. */
  scorerRefs: string[];
  createdBy: string;
}
