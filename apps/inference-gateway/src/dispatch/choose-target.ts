import type { RouteTarget, Strategy } from './route.js';

/** @returns a number in [0, 1) */
export type Random = () => number;

/** Picks one of `targets`, all of which have a free slot; ties of `least_busy` are broken at random. */
export function chooseTarget(targets: readonly RouteTarget[], strategy: Strategy, random: Random): RouteTarget | null {
  if (targets.length <= 1) return targets[0] ?? null;
  switch (strategy) {
    case 'least_busy':
      return leastBusy(targets, random);
    case 'weighted':
      return weighted(targets, random);
  }
}

/** A target that has to load its weights first counts as if this many more requests ran there. */
const LOAD_COST = 8;

function leastBusy(targets: readonly RouteTarget[], random: Random): RouteTarget | null {
  const loads = targets.map(({ state, weight }) => {
    const loadCost = state.target.isReady === false ? LOAD_COST : 0;
    return (state.inFlight + 1 + loadCost) / weight;
  });
  const least = Math.min(...loads);
  const idle = targets.filter((_, index) => loads[index] === least);
  return idle[Math.floor(random() * idle.length)] ?? null;
}

function weighted(all: readonly RouteTarget[], random: Random): RouteTarget | null {
  const ready = all.filter(({ state }) => state.target.isReady !== false);
  const targets = ready.length > 0 ? ready : all;
  const total = targets.reduce((sum, { weight }) => sum + weight, 0);
  let left = random() * total;
  return targets.find(({ weight }) => (left -= weight) < 0) ?? targets.at(-1) ?? null;
}
