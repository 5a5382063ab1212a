import { QueryTimeoutError } from '@hone/platform';

/** Work goes on for this long before other requests get their turn. */
const MAX_TURN_MS = 20;
/** As long as a statement of the database may take. */
const MAX_WORK_MS = 60_000;

/**
 * @returns a function that lets the event loop go on once the turn has taken long; it throws QueryTimeoutError when the
 *   work as a whole takes too long
 */
export function turns(maxWorkMs = MAX_WORK_MS): () => Promise<void> {
  const startedMs = performance.now();
  let beganMs = startedMs;
  return async () => {
    const now = performance.now();
    if (now - startedMs > maxWorkMs) throw new QueryTimeoutError();
    if (now - beganMs < MAX_TURN_MS) return;
    await new Promise(setImmediate);
    beganMs = performance.now();
  };
}
