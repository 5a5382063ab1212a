import type { Issue } from '@hone/contracts';

import { InvalidRequestError } from '../../shared/errors/gateway-error.js';

/** What `read` returns; the issues of its errors stand where `toLoc` says. */
export function located<T>(toLoc: (loc: Issue['loc']) => Issue['loc'], read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidRequestError ? error.relocated(toLoc) : error;
  }
}
