import { cutText } from '../../shared/errors/error-bounds.js';
import { GatewayError } from '../../shared/errors/gateway-error.js';
import { NO_RETRY } from '../../shared/errors/retry-headers.js';

const MAX_TEXT = 200;

/** The model does not exist, or the caller may not read it: one message for both. */
export class ModelNotFoundError extends GatewayError {
  static override readonly kind = 'not_found';
  static override readonly code = 'model_not_found';
  constructor(model: string) {
    super(`There is no model '${cutText(model, MAX_TEXT)}'.`, { param: 'model' });
  }
}

/** The only target that is left cannot read so long a prompt. */
export class PromptTooLongError extends GatewayError {
  static override readonly kind = 'bad_request';
  static override readonly code = 'context_length_exceeded';
  constructor(message: string) {
    super(message, { headers: NO_RETRY, param: 'messages' });
  }
}
