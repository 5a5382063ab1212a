import { GatewayError } from '../../shared/errors/gateway-error.js';
import { RETRY, retryAfter } from '../../shared/errors/retry-headers.js';

/** Usage cannot be journalled, so the gateway refuses the request. */
export class MeteringUnavailableError extends GatewayError {
  constructor(override readonly cause?: unknown) {
    super(503, 'overloaded_error', 'metering_unavailable', 'Usage cannot be recorded at the moment.', {
      headers: { ...RETRY, ...retryAfter(1_000) },
    });
  }
}
