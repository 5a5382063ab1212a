import { GatewayError } from './gateway-error.js';
import { RETRY, retryAfter } from './retry-headers.js';

/** The process shuts down (drain): another process, or a later retry, can succeed. */
export const serverStopping = () =>
  new GatewayError(503, 'overloaded_error', 'overloaded', 'The server is shutting down.', {
    headers: { connection: 'close', ...RETRY, ...retryAfter(1_000) },
  });

/** The disk of the database, or of the usage journal, is full. */
export const diskFull = (what: string) =>
  new GatewayError(503, 'overloaded_error', 'storage_full', `${what} is full.`, {
    headers: { ...RETRY, ...retryAfter(5_000) },
  });

/** The database is needed and unavailable. */
export const databaseUnavailable = () =>
  new GatewayError(503, 'overloaded_error', 'overloaded', 'The database is not available.', {
    headers: { ...RETRY, ...retryAfter(1_000) },
  });
