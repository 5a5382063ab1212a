import { GatewayError } from '../../chat-completions/gateway-error.js';

/**
 * The project that a request names cannot be used: unknown, malformed, or the caller is no writer there. One sentence
 * for all.
 */
export class ProjectForbiddenError extends GatewayError {
  constructor() {
    const message = 'This key may not use this project; name one as <team>/<project> that it may write to.';
    super(403, 'permission_error', 'project_forbidden', message, { headers: { 'x-should-retry': 'false' } });
  }
}
