import type { Clock } from '../../shared/time/clock.js';
import type { AbortListeners } from '../abort-scope.js';
import type { Waiter } from '../health/slot-queue.js';
import type { Slot } from '../health/target-state.js';
import { partOf, type Route, type RouteTarget, type Strategy, type Tier } from '../route/route.js';
import type { Eligibility } from './eligibility.js';

/** @returns a number in [0, 1) */
export type Random = () => number;

/** The chosen target, and a slot of it for one attempt. */
export interface Selection {
  readonly target: RouteTarget;
  readonly slot: Slot;
}

/** Why no target was selected. */
export type NoSelection =
  /** The request gave up on every target, or none can honour what it asks for. */
  | 'no_candidate'
  /** There are candidates, but all are out or behind an open breaker; or every upstream of the route is disabled. */
  | 'none_healthy'
  /** The queues are full, or the wait in them was too long: backpressure. */
  | 'queue_full';

let tickets = 0;

/** Selects targets for the attempts of one request. */
export class TargetSelector {
  /** @param priority lower goes first in queues */
  constructor(
    private readonly route: Route,
    private readonly eligibility: Eligibility,
    private readonly priority: number,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /**
   * Selects from the lowest tier that has a usable target: at once, or after a wait in that tier's queue; else from the
   * next tier. Targets in cooldown are selected only when no other is left.
   */
  select(scope: AbortListeners): Selection | Promise<Selection | NoSelection> {
    for (const tier of this.route.tiers) {
      const usable = this.usable(tier, false);
      if (usable.length === 0) continue;
      return this.acquireOne(usable) ?? this.search(scope);
    }
    return this.search(scope);
  }

  private async search(scope: AbortListeners): Promise<Selection | NoSelection> {
    let isFull = false;
    for (const withCooldown of [false, true]) {
      for (const tier of this.route.tiers) {
        const usable = this.usable(tier, withCooldown);
        if (usable.length === 0) continue;
        const selection = this.acquireOne(usable) ?? (await this.queue(tier, withCooldown, scope));
        if (selection !== null) return selection;
        if (scope.isAborted) return 'queue_full';
        isFull = true;
      }
    }
    if (isFull) return 'queue_full';
    const targets = this.route.tiers.flatMap((tier) => tier.targets);
    const hasCandidate = targets.length === 0 || targets.some((target) => this.eligibility.isCandidate(target));
    return hasCandidate ? 'none_healthy' : 'no_candidate';
  }

  /** Acquires a slot of one of `targets` (all usable) without waiting; null: all are full. */
  acquireOne(targets: readonly RouteTarget[]): Selection | null {
    const [only] = targets;
    if (targets.length === 1 && only !== undefined) return acquire(only);
    const free = targets.filter(({ state }) => !state.isFull);
    const [first] = free;
    const target = first ? chooseTarget(free, partOf(this.route, first).strategy, this.random) : null;
    return target && acquire(target);
  }

  private usable({ targets }: Tier, withCooldown: boolean): readonly RouteTarget[] {
    const isUsable = (target: RouteTarget) =>
      this.eligibility.isUsable(target) && (withCooldown || target.state.cooldown.leftMs === 0);
    return targets.every(isUsable) ? targets : targets.filter(isUsable);
  }

  /** @returns null after `queueMs`, or when no target of the tier is usable any longer */
  private queue(tier: Tier, withCooldown: boolean, scope: AbortListeners): Promise<Selection | null> {
    const { queueMax, queueMs } = this.route.limits;
    if (tier.waiting >= queueMax || scope.isAborted) return Promise.resolve(null);
    const queues = tier.targets.map(({ state }) => state.queue);
    return new Promise((resolve) => {
      const leave = (selection: Selection | null) => {
        timer.cancel();
        scope.offAbort(onAbort);
        tier.waiting--;
        for (const queue of queues) queue.leave(waiter);
        resolve(selection);
      };
      const onAbort = () => leave(null);
      const waiter: Waiter = {
        priority: this.priority,
        ticket: tickets++,
        tryAcquire: () => {
          const usable = this.usable(tier, withCooldown);
          const selection = this.acquireOne(usable);
          if (selection !== null || usable.length === 0) leave(selection);
          return selection !== null;
        },
      };
      const timer = this.clock.after(queueMs, () => leave(null));
      scope.onAbort(onAbort);
      tier.waiting++;
      for (const queue of queues) queue.join(waiter);
    });
  }
}

const acquire = (target: RouteTarget): Selection | null =>
  target.state.isFull ? null : { target, slot: target.state.acquire() };

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
