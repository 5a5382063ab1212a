import { randomInt } from 'node:crypto';

import { tryListen } from './listen-check.js';

/**
 * Below the ports that systems give to outgoing connections (from 32768 on Linux): one of those could take the port of
 * a service between the moment it was found free and the moment the service listens, or while it is started again.
 */
const FIRST = 20_000;
const LAST = 32_700;

/** Ports on 127.0.0.1 that nothing listens on, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  const start = randomInt(FIRST, LAST);
  for (let port = start; found.length < count; port = port === LAST ? FIRST : port + 1)
    if (!(await tryListen('127.0.0.1', port))) found.push(port);
  return found;
}
