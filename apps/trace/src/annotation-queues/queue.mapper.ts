import { type LeaseDto, type QueueDto, type QueueItemDto, withScheme } from '@hone/contracts';

import type { ProgressRecord, QueueItemRecord, QueueRecord } from './queue.record.js';

/** A queue as it is answered, its refs with their scheme. */
export function toQueue(projectId: string, queue: QueueRecord, refScheme: string): QueueDto {
  return {
    id: queue.id,
    project_id: projectId,
    name: queue.name,
    description: queue.description,
    scorer_refs: queue.scorerRefs.map((ref) => withScheme(ref, refScheme)),
    reviewers_per_item: queue.reviewersPerItem,
    lease_seconds: queue.leaseSeconds,
    assigned_only: queue.assignedOnly,
    created_at: queue.createdAt.toISOString(),
    created_by: queue.createdBy,
    updated_at: queue.updatedAt.toISOString(),
    deleted_at: queue.deletedAt?.toISOString() ?? null,
  };
}

/** A lease that the annotator holds. */
export function toLease({ leaseId, leaseExpiresAt }: ProgressRecord): LeaseDto {
  return { id: leaseId as string, expires_at: (leaseExpiresAt as Date).toISOString() };
}

/** An item as one annotator sees it. */
export function toQueueItem(
  projectId: string,
  item: QueueItemRecord,
  own: Pick<ProgressRecord, 'userId' | 'state' | 'updatedAt'> | null,
): QueueItemDto {
  const updatedAt = own && own.updatedAt > item.updatedAt ? own.updatedAt : item.updatedAt;
  return {
    id: item.id,
    project_id: projectId,
    queue_id: item.queueId,
    call_id: item.callId,
    call_started_at: item.callStartedAt.toISOString(),
    call_op_name: item.callOpName,
    call_trace_id: item.callTraceId,
    display_fields: item.displayFields,
    created_at: item.createdAt.toISOString(),
    created_by: item.createdBy,
    updated_at: updatedAt.toISOString(),
    call_ended_at: item.callEndedAt?.toISOString() ?? null,
    added_by: item.addedBy,
    annotator_user_id: own?.userId ?? null,
    deleted_at: item.deletedAt?.toISOString() ?? null,
    position_in_queue: null,
    annotation_state: item.callDeletedAt === null ? (own?.state ?? 'unstarted') : 'call_deleted',
  };
}
