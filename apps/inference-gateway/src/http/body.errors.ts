import { GatewayError } from '../shared/errors/gateway-error.js';

export class BodyOverLimitError extends GatewayError {
  static override readonly kind = 'too_large';
  static override readonly code = 'body_too_large';
  constructor(limitBytes: number) {
    super(`The body is larger than ${limitBytes} bytes.`, { headers: { connection: 'close' } });
  }
}

export class CodingUnsupportedError extends GatewayError {
  static override readonly kind = 'unsupported';
  static override readonly code = 'unsupported_encoding';
  constructor() {
    super('The content coding should be gzip, deflate, br or none.');
  }
}

export class BodyTimeoutError extends GatewayError {
  static override readonly kind = 'timeout';
  static override readonly code = 'request_timeout';
  constructor() {
    super('The body did not come in time.', { headers: { connection: 'close' } });
  }
}
