/** Postgres error codes that our own errors are made from (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
/** Prisma's own codes look alike: P1001 to P6009. */
const SQL_STATE = /^(?!P[1-9])[0-9A-Z]{5}$/;
const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';
/** Disk full. Where Postgres cannot tell, its message quotes the operating system. */
const DISK_FULL = '53100';
const DISK_FULL_MESSAGE = /No space left on device|Disk quota exceeded/;
/** Classes 08 (connection), 53 (resources), 57P (server shutting down, crash, cannot connect now). */
const UNAVAILABLE = /^(08...|53...|57P0.)$/;
/** Prisma's codes for the same: unreachable, timed out, closed, no free connection, transaction could not start. */
const PRISMA_UNAVAILABLE = new Set(['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2028', 'P2037']);
const SOCKET_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
const UNAVAILABLE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Can't reach database/i;

/** A server error as Prisma's pg adapter wraps it: the SQLSTATE sits at one of several depths. */
function* layers(error: unknown): Generator<Record<string, unknown>> {
  let current: unknown = error;
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
    const layer = current as Record<string, unknown>;
    yield layer;
    const meta = layer['meta'] as Record<string, unknown> | undefined;
    current = meta?.['driverAdapterError'] ?? layer['cause'];
    if (meta) yield meta;
  }
}

function hasCode(error: unknown, matches: (code: string) => boolean): boolean {
  for (const layer of layers(error)) {
    for (const key of ['code', 'originalCode']) {
      const code = layer[key];
      if (typeof code === 'string' && matches(code)) return true;
    }
  }
  return false;
}

/** SQLSTATE of an error of the server, however deep Prisma has wrapped it; undefined: it is none. */
export function sqlStateOf(error: unknown): string | undefined {
  for (const layer of layers(error)) {
    for (const key of ['code', 'originalCode']) {
      const code = layer[key];
      if (typeof code === 'string' && SQL_STATE.test(code)) return code;
    }
  }
  return undefined;
}

/** A row with this key exists already. */
export const isUniqueViolation = (error: unknown): boolean =>
  hasCode(error, (code) => code === UNIQUE_VIOLATION || code === 'P2002');

/** A lock was not free within `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => hasCode(error, (code) => code === LOCK_NOT_AVAILABLE);

/** The statement ran into `statement_timeout`. */
export const isStatementTimeout = (error: unknown): boolean => hasCode(error, (code) => code === QUERY_CANCELED);

/** The disk of the database is full: it answers, and takes no writes. */
export function isDatabaseFull(error: unknown): boolean {
  if (hasCode(error, (code) => code === DISK_FULL)) return true;
  if (sqlStateOf(error) === undefined) return false;
  for (const layer of layers(error)) {
    if (typeof layer['message'] === 'string' && DISK_FULL_MESSAGE.test(layer['message'])) return true;
  }
  return false;
}

/** Postgres cannot be reached, is stopping, or has no connection left. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isStatementTimeout(error)) return false;
  if (hasCode(error, (code) => UNAVAILABLE.test(code) || PRISMA_UNAVAILABLE.has(code) || SOCKET_ERRORS.has(code)))
    return true;
  for (const layer of layers(error)) {
    if (
      layer['kind'] === 'DatabaseNotReachable' ||
      layer['kind'] === 'ConnectionClosed' ||
      layer['kind'] === 'SocketTimeout'
    )
      return true;
    if (typeof layer['message'] === 'string' && UNAVAILABLE_MESSAGE.test(layer['message'])) return true;
  }
  return false;
}
