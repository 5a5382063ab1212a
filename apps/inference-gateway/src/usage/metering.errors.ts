import { GatewayError } from '../chat-completions/gateway-error.js';

/** Usage cannot be journalled, so nothing may be answered. */
export class MeteringUnavailableError extends GatewayError {
  constructor(override readonly cause?: unknown) {
    super(503, 'overloaded_error', 'metering_unavailable', 'Usage cannot be recorded at the moment.', {
      headers: { 'retry-after': '1', 'x-should-retry': 'true' },
    });
  }
}
