import type { Route } from './route.js';

/** Milliseconds until the first of a route's targets may be usable again; 0: now. */
export function healthyInMs({ tiers }: Route): number {
  const waits = tiers.flatMap(({ targets }) =>
    targets.map(({ state }) => Math.max(state.usableInMs, state.cooldown.leftMs)),
  );
  return waits.length === 0 ? 0 : Math.min(...waits);
}
