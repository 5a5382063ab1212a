import { GatewayError } from './gateway-error.js';
import { RETRY, retryAfter } from './retry-headers.js';

/** The process shuts down (drain): another process, or a later retry, can succeed. */
export class ServerStoppingError extends GatewayError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'overloaded';
  constructor() {
    super('The server is shutting down.', { headers: { connection: 'close', ...RETRY, ...retryAfter(1_000) } });
  }
}

/** The disk of the database is full. */
export class DatabaseDiskFullError extends GatewayError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'storage_full';
  constructor() {
    super('The disk of the database is full.', { headers: { ...RETRY, ...retryAfter(5_000) } });
  }
}

/** The database is needed and unavailable. */
export class DatabaseDownError extends GatewayError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'overloaded';
  constructor() {
    super('The database is not available.', { headers: { ...RETRY, ...retryAfter(1_000) } });
  }
}
