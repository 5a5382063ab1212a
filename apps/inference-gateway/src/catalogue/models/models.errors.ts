import type { Endpoint } from '../../shared/endpoint.js';
import { cutText } from '../../shared/errors/error-bounds.js';
import { GatewayError } from '../../shared/errors/gateway-error.js';
import { NO_RETRY } from '../../shared/errors/retry-headers.js';

const MAX_TEXT = 200;
const MAX_LISTED = 10;

/** The model does not exist, or the caller may not read it: one message for both. */
export class ModelNotFoundError extends GatewayError {
  static override readonly kind = 'not_found';
  static override readonly code = 'model_not_found';
  constructor(model: string) {
    super(`There is no model '${cutText(model, MAX_TEXT)}'.`, { param: 'model' });
  }
}

/** The model is there, and is for something else. */
export class ModelOfOtherKindError extends GatewayError {
  static override readonly kind = 'not_found';
  static override readonly code = 'model_not_found';

  /** @param others names of the models that do what was asked */
  constructor(model: string, endpoint: Endpoint, others: readonly string[]) {
    const listed = others.slice(0, MAX_LISTED).map((name) => cutText(name, MAX_TEXT));
    const advice = listed.length === 0 ? 'No model here does.' : `These do: ${listed.join(', ')}.`;
    super(`The model '${cutText(model, MAX_TEXT)}' does not answer /v1/${endpoint}. ${advice}`, { param: 'model' });
  }
}

/** The only target that is left cannot read so long a prompt. */
export class PromptTooLongError extends GatewayError {
  static override readonly kind = 'bad_request';
  static override readonly code = 'context_length_exceeded';
  constructor(message: string, param = 'messages') {
    super(message, { headers: NO_RETRY, param });
  }
}
