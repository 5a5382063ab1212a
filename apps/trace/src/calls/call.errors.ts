import { DomainError } from '@hone/platform';

/** Unknown, deleted, or of another project; or only its end came yet. */
export class CallNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'call.not_found';
  constructor(callId: string, projectId: string) {
    super(`There is no call '${callId}' in '${projectId}'.`);
  }
}
