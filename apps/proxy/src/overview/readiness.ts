import { jsonAnswer, type OwnAnswer } from '../answers/own-answer.js';
import type { Replica, Replicas } from '../forward/replicas.js';

/** Above the time that a service gives its own dependencies (2 s). */
const TIMEOUT_MS = 3_000;

/** Asks every replica of every service; 200 when each service has at least one that is ready. */
export async function readiness(services: readonly Replicas[]): Promise<OwnAnswer> {
  const states = await Promise.all(services.map(async ({ all }) => Promise.all(all.map(isReady))));
  const ready = states.every((replicas) => replicas.includes(true));
  const named = services.map(({ service }, index) => [service, describe(states[index] as boolean[])]);
  return jsonAnswer(ready ? 200 : 503, {
    status: ready ? 'ready' : 'not ready',
    services: Object.fromEntries(named) as Record<string, unknown>,
  });
}

const describe = (replicas: boolean[]): { status: string; ready: number; replicas: number } => ({
  status: replicas.includes(true) ? 'ready' : 'not ready',
  ready: replicas.filter(Boolean).length,
  replicas: replicas.length,
});

async function isReady({ pool }: Replica): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { statusCode, body } = await pool.request({ path: '/readyz', method: 'GET', signal });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}
