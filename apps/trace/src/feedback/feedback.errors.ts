import { DomainError } from '@hone/platform';

/** `id` was chosen by the client and already names a record with other content. Retry without `id`. */
export class FeedbackIdTakenError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'feedback.id_taken';
  constructor(id: string, projectId: string) {
    super(`Feedback id '${id}' already exists in '${projectId}' with other content.`);
  }
}

/** The payload's compact text is over the limit. */
export class PayloadTooLargeError extends DomainError {
  static override readonly kind = 'too_large';
  static override readonly code = 'feedback.payload_too_large';
  constructor(bytes: number, limit: number) {
    super(`payload has ${bytes} bytes; the limit is ${limit}.`);
  }
}

/** Unknown, purged, replaced, or of another project. */
export class FeedbackNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'feedback.not_found';
  constructor(id: string, projectId: string) {
    super(`There is no feedback '${id}' in '${projectId}'.`);
  }
}
