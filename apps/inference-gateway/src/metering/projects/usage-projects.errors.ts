import { GatewayError } from '../../shared/errors/gateway-error.js';
import { NO_RETRY } from '../../shared/errors/retry-headers.js';

/**
 * The project that a request names cannot be used: unknown, malformed, or the caller is no writer there. One sentence
 * for all.
 */
export class ProjectForbiddenError extends GatewayError {
  constructor() {
    const message = 'This key may not use this project; name one as <team>/<project> that it may write to.';
    super(403, 'permission_error', 'project_forbidden', message, { headers: NO_RETRY });
  }
}
