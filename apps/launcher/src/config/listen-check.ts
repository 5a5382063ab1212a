import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { LaunchError } from './launch.error.js';

/** The proxy of a launcher that was killed lets go of the port at once, but not before it noticed. */
const WAIT_MS = 1_000;
const RETRY_MS = 100;

/**
 * Finds out before anything is started whether the proxy will be able to listen.
 *
 * @throws LaunchError naming HONE_PORT or HONE_HOST
 */
export async function checkListenAddress(host: string, port: number): Promise<void> {
  for (const deadline = Date.now() + WAIT_MS; ;) {
    const code = await tryListen(host, port);
    if (!code) return;
    if (code === 'EADDRINUSE' && Date.now() < deadline) await sleep(RETRY_MS);
    else throw new LaunchError(explain(code, host, port));
  }
}

function explain(code: string, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use: stop what uses it, or set HONE_PORT to another port.`;
  if (code === 'EACCES')
    return `HONE_PORT is wrong: expected a port that this user may open; ${port} is not (${code}).`;
  return `HONE_HOST is wrong: expected an address of this machine; ${host} cannot be listened on (${code}).`;
}

/** The error code of listening there; undefined: it works. */
export function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
