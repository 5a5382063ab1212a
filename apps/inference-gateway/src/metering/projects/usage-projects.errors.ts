import { GatewayError } from '../../shared/errors/gateway-error.js';
import { NO_RETRY } from '../../shared/errors/retry-headers.js';

/**
 * The caller cannot use the project that the request names: it is unknown or malformed, or the caller is not a writer.
 * One message for all cases, so that it does not reveal which projects exist.
 */
export class ProjectForbiddenError extends GatewayError {
  static override readonly kind = 'forbidden';
  static override readonly code = 'project_forbidden';
  constructor() {
    super('This key may not use this project; name one as <team>/<project> that it may write to.', {
      headers: NO_RETRY,
    });
  }
}
