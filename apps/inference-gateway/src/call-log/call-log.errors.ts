import { cutText } from '../shared/errors/error-bounds.js';
import { GatewayError } from '../shared/errors/gateway-error.js';

const MAX_TEXT = 200;

/** There is no such response in the project, or it was not stored. */
export class ResponseNotFoundError extends GatewayError {
  static override readonly kind = 'not_found';
  static override readonly code = 'response_not_found';

  constructor(id: string, param: string | null = null) {
    const why = 'Responses are stored where the project keeps its calls in full, unless store is false';
    super(`The project has no response '${cutText(id, MAX_TEXT)}'. ${why}.`, { param });
  }
}
