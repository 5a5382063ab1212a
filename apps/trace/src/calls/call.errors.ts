import { DomainError } from '@hone/platform';

/** Unknown, deleted, or of another project; or only its end came yet. */
export class CallNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'call.not_found';
  /** @param noun what the call should be */
  constructor(callId: string, projectId: string, noun = 'call') {
    super(`There is no ${noun} '${callId}' in '${projectId}'.`);
  }
}
