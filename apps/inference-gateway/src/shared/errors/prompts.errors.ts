import { cutText } from './error-bounds.js';
import { GatewayError } from './gateway-error.js';

const MAX_TEXT = 200;

/** No prompt object of this name and version can be read. */
export class PromptNotFoundError extends GatewayError {
  static override readonly kind = 'not_found';
  static override readonly code = 'prompt_not_found';

  constructor(id: string, selector: string) {
    super(`There is no prompt '${cutText(id, MAX_TEXT)}' with the version '${cutText(selector, MAX_TEXT)}'.`, {
      param: 'prompt',
    });
  }
}
