import { GatewayError } from '../../shared/errors/gateway-error.js';
import { RETRY, retryAfter } from '../../shared/errors/retry-headers.js';

/** Usage cannot be journalled, so the gateway refuses the request. */
export class MeteringUnavailableError extends GatewayError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'metering_unavailable';
  constructor(cause?: unknown) {
    super('Usage cannot be recorded at the moment.', { headers: { ...RETRY, ...retryAfter(1_000) }, cause });
  }
}

/** Postgres rejects the batch for its data: a value does not fit its column. A retry cannot succeed. */
export class UsageRecordsRejectedError extends Error {
  constructor(
    readonly sqlState: string,
    cause: unknown,
  ) {
    super('Usage records do not fit the database.', { cause });
  }
}
