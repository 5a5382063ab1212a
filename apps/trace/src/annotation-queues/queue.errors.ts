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

/** A completed or skipped item stays so for its annotator. */
export class IllegalTransitionError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'annotation.illegal_transition';
  constructor(from: string, to: string) {
    super(`Cannot move from '${from}' to '${to}'; only 'unstarted' and 'in_progress' can be left.`);
  }
}
