import { setTimeout as sleep } from 'node:timers/promises';

const PROBE = Buffer.from('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
const PAUSE_MS = 2;

/**
 * Asks a service for its health again and again on a connection of its own.
 *
 * @param {import('./http-connection.mjs').HttpConnection} connection
 * @param {() => boolean} isOver
 * @returns {Promise<{ longestMs: number, count: number }>}
 */
export async function probeUntil(connection, isOver) {
  let longestMs = 0;
  let count = 0;
  while (!isOver()) {
    const begin = performance.now();
    await connection.send(PROBE);
    longestMs = Math.max(longestMs, performance.now() - begin);
    count++;
    await sleep(PAUSE_MS);
  }
  return { longestMs, count };
}
