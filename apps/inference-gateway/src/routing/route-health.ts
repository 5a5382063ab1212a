import type { Route } from './route.js';

/** When the first of a route's targets can be asked again, from now; 0: at once. */
export function healthyInMs({ tiers }: Route): number {
  const waits = tiers.flatMap(({ targets }) =>
    targets.map(({ state }) => Math.max(state.usableInMs, state.cooling.leftMs)),
  );
  return waits.length === 0 ? 0 : Math.min(...waits);
}
