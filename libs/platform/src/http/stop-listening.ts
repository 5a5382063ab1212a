import type { Server } from 'node:http';
import { Server as Listener } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** How long connections are taken yet that wait already. Node may take only one in each turn of its event loop. */
const LAST_CONNECTIONS_MS = 2_000;
/** As many are taken however long that takes, on a busy machine: no more wait, as Node listens. */
const BACKLOG = 511;
/** After a longer turn there may be connections again that came while it ran. */
const CALM_TURN_MS = 0.25;
/** In which the requests of connections that were taken at the last moment arrive. */
const LAST_REQUESTS_MS = 100;

/**
 * Takes connections no more, before anything else stops: what a proxy could not send it may send elsewhere, but a
 * refusal it would have to believe. Connections that wait already would be reset; they are taken, and served.
 *
 * What comes between the last look for connections and the end of listening is reset by the system, and nothing in
 * Node prevents it: so that moment is kept as short as can be.
 */
export async function stopListening(server: Server): Promise<void> {
  let taken = 0;
  let before: number;
  let turnMs: number;
  server.on('connection', () => taken++);
  const endMs = performance.now() + LAST_CONNECTIONS_MS;
  new Listener().close(); // so that the code is compiled by then
  do {
    await sleep(1); // a process that has just slept is not the one that a busy machine interrupts
    const startMs = performance.now();
    before = taken;
    await nextTurn();
    turnMs = performance.now() - startMs;
  } while (
    (taken > before && taken < BACKLOG) ||
    ((taken > before || turnMs > CALM_TURN_MS) && performance.now() < endMs)
  );
  Listener.prototype.close.call(server); // an HTTP server's own looks through all its connections first
  server.closeIdleConnections();
  await sleep(LAST_REQUESTS_MS);
}
