import { DomainError } from '@hone/platform';

/** Unknown, deleted, or of another project. */
export class QueueNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'annotation.queue_not_found';
  constructor(queueId: string, projectId: string) {
    super(`There is no annotation queue '${queueId}' in '${projectId}'.`);
  }
}

/** Unknown, deleted, or of another queue. */
export class QueueItemNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'annotation.item_not_found';
  constructor(itemId: string, queueId: string) {
    super(`There is no item '${itemId}' in queue '${queueId}'.`);
  }
}

/** A completed or skipped item stays so for its annotator, until a writer reopens it. */
export class IllegalTransitionError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'annotation.illegal_transition';
  private constructor(
    message: string,
    /** States of the transition; undefined: there was nothing to leave. */
    readonly from?: string,
    readonly to?: string,
  ) {
    super(message);
  }

  static between(from: string, to: string): IllegalTransitionError {
    return new IllegalTransitionError(
      `Cannot move from '${from}' to '${to}'; only 'unstarted' and 'in_progress' can be left.`,
      from,
      to,
    );
  }

  static notStarted(itemId: string, userId: string): IllegalTransitionError {
    return new IllegalTransitionError(`User '${userId}' has not started item '${itemId}': nothing can be reopened.`);
  }
}

/** The call that the item is about was deleted: there is nothing to annotate. */
export class CallDeletedError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'annotation.call_deleted';
  constructor(itemId: string) {
    super(`The call of item '${itemId}' was deleted.`);
  }
}

/** As many annotators as the queue allows work on the item, or have finished it. */
export class ReviewersFullError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'annotation.reviewers_full';
  constructor(itemId: string, reviewers: number) {
    super(`Item '${itemId}' has as many annotators as its queue allows: ${reviewers}.`);
  }
}

/** The lease has expired, or was never the caller's. Claim again. */
export class LeaseLostError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'annotation.lease_lost';
  constructor(leaseId: string, itemId: string) {
    super(`You do not hold the lease '${leaseId}' of item '${itemId}'; it may have expired.`);
  }
}

/** The queue is for assignees alone, and the caller is none of this item. */
export class NotAssignedError extends DomainError {
  static override readonly kind = 'forbidden';
  static override readonly code = 'annotation.not_assigned';
  constructor(itemId: string) {
    super(`Item '${itemId}' is not assigned to you.`);
  }
}
