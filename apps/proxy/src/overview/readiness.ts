import { jsonAnswer, type OwnAnswer } from '../answers/own-answer.js';
import type { Replica, Replicas } from '../forward/replicas.js';

/** Above the time that a service gives its own dependencies (2 s). */
const TIMEOUT_MS = 3_000;

interface ReplicaState {
  readonly isReady: boolean;
  /** Sentences about what does not work, though the replica serves. */
  readonly warnings: readonly string[];
}

const AWAY: ReplicaState = { isReady: false, warnings: [] };

/** Asks every replica of every service; 200 when each service has at least one that is ready. */
export async function readiness(services: readonly Replicas[]): Promise<OwnAnswer> {
  const states = await Promise.all(services.map(async ({ all }) => Promise.all(all.map(stateOf))));
  const ready = states.every((replicas) => replicas.some(({ isReady }) => isReady));
  const named = services.map(({ service }, index) => [service, describe(states[index] as ReplicaState[])]);
  return jsonAnswer(ready ? 200 : 503, {
    status: ready ? 'ready' : 'not ready',
    services: Object.fromEntries(named) as Record<string, unknown>,
  });
}

function describe(replicas: readonly ReplicaState[]): object {
  const ready = replicas.filter(({ isReady }) => isReady).length;
  const warnings = [...new Set(replicas.flatMap((replica) => replica.warnings))];
  return {
    status: ready > 0 ? 'ready' : 'not ready',
    ready,
    replicas: replicas.length,
    ...(warnings.length > 0 && { warnings }),
  };
}

async function stateOf({ pool }: Replica): Promise<ReplicaState> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { statusCode, body } = await pool.request({ path: '/readyz', method: 'GET', signal });
    const { warnings = [] } = (await body.json()) as { warnings?: string[] };
    return { isReady: statusCode === 200, warnings };
  } catch {
    return AWAY;
  }
}
