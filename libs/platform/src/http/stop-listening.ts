import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** How long connections are taken yet that wait already. Node takes one in each turn of its event loop. */
const LAST_CONNECTIONS_MS = 2_000;
/** As many are taken however long that takes, on a busy machine: no more wait, as Node listens. */
const BACKLOG = 511;
/** After a longer turn there may be connections again that came while it ran. */
const CALM_TURN_MS = 0.5;
/** In which the requests of connections that were taken at the last moment arrive. */
const LAST_REQUESTS_MS = 100;

/**
 * Takes connections no more, before anything else stops: what a proxy could not send it may send elsewhere, but a
 * refusal it would have to believe. Connections that wait already would be reset; they are taken, and served.
 */
export async function stopListening(server: Server): Promise<void> {
  let taken = 0;
  let before: number;
  let turnMs: number;
  server.on('connection', () => taken++);
  const endMs = performance.now() + LAST_CONNECTIONS_MS;
  await nextTurn(); // this turn may have looked for connections already
  do {
    const startMs = performance.now();
    before = taken;
    await nextTurn();
    turnMs = performance.now() - startMs;
  } while (
    (taken > before && taken < BACKLOG) ||
    ((taken > before || turnMs > CALM_TURN_MS) && performance.now() < endMs)
  );
  server.close();
  await sleep(LAST_REQUESTS_MS);
}
