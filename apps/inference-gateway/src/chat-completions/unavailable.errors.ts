import { GatewayError } from './gateway-error.js';

/** The process ends: another one, or this address a little later, can answer. */
export const serverStopping = () =>
  new GatewayError(503, 'overloaded_error', 'overloaded', 'The server is shutting down.', {
    headers: { connection: 'close', 'retry-after': '1', 'x-should-retry': 'true' },
  });

/** What must be looked up cannot be. */
export const databaseUnavailable = () =>
  new GatewayError(503, 'overloaded_error', 'overloaded', 'The database is not available.', {
    headers: { 'retry-after': '1', 'x-should-retry': 'true' },
  });
