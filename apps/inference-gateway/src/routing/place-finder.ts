import type { Clock } from '../upstreams/clock.js';

import { chooseTarget, type Random } from './choose-target.js';
import type { Eligibility } from './eligibility.js';
import type { Route, RouteTarget, Tier } from './route.js';
import type { StopSignal } from './stopper.js';
import type { Lease } from './target-state.js';
import type { Waiter } from './waiting-line.js';

/** A target that was chosen, and the right to ask it. */
export interface Place {
  readonly target: RouteTarget;
  readonly lease: Lease;
}

/** Why there is no place. */
export type NoPlace =
  /** Every target is given up, or cannot do what is asked. */
  | 'no_candidate'
  /** There are candidates, all of them out or behind an open breaker; or every upstream of the route is disabled. */
  | 'none_healthy'
  /** The queues are full, or the wait in them was too long. */
  | 'queue_full';

let tickets = 0;

/** Finds places for the attempts of one request. */
export class PlaceFinder {
  /** @param priority lower goes first in queues */
  constructor(
    private readonly route: Route,
    private readonly eligibility: Eligibility,
    private readonly priority: number,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /**
   * A place at the lowest tier that has a usable target: at once, or after a wait in the tier's queue; else at the next
   * tier. Targets that cool are asked when no other is left.
   */
  find(signal: StopSignal): Place | Promise<Place | NoPlace> {
    for (const tier of this.route.tiers) {
      const usable = this.usable(tier, false);
      if (usable.length === 0) continue;
      return this.takeOne(usable) ?? this.search(signal);
    }
    return this.search(signal);
  }

  private async search(signal: StopSignal): Promise<Place | NoPlace> {
    let isFull = false;
    for (const mayCool of [false, true]) {
      for (const tier of this.route.tiers) {
        const usable = this.usable(tier, mayCool);
        if (usable.length === 0) continue;
        const place = this.takeOne(usable) ?? (await this.wait(tier, mayCool, signal));
        if (place !== null) return place;
        if (signal.isStopped) return 'queue_full';
        isFull = true;
      }
    }
    if (isFull) return 'queue_full';
    const targets = this.route.tiers.flatMap((tier) => tier.targets);
    const hasCandidate = targets.length === 0 || targets.some((target) => this.eligibility.isCandidate(target));
    return hasCandidate ? 'none_healthy' : 'no_candidate';
  }

  /** A place at one of `targets` (that are usable and not full), without waiting. */
  takeOne(targets: readonly RouteTarget[]): Place | null {
    const [only] = targets;
    if (targets.length === 1 && only !== undefined) return placeAt(only);
    const free = targets.filter(({ state }) => !state.isFull);
    const target = chooseTarget(free, this.route.strategy, this.random);
    return target && placeAt(target);
  }

  private usable({ targets }: Tier, mayCool: boolean): readonly RouteTarget[] {
    const isUsable = (target: RouteTarget) =>
      this.eligibility.isUsable(target) && (mayCool || target.state.cooling.leftMs === 0);
    return targets.every(isUsable) ? targets : targets.filter(isUsable);
  }

  /** @returns null after too long a wait, or when there is nothing left to wait for */
  private wait(tier: Tier, mayCool: boolean, signal: StopSignal): Promise<Place | null> {
    const { queueMax, queueMs } = this.route.limits;
    if (tier.waiting >= queueMax || signal.isStopped) return Promise.resolve(null);
    const lines = tier.targets.map(({ state }) => state.line);
    return new Promise((resolve) => {
      const leave = (place: Place | null) => {
        timer.cancel();
        signal.offStop(onStop);
        tier.waiting--;
        for (const line of lines) line.leave(waiter);
        resolve(place);
      };
      const onStop = () => leave(null);
      const waiter: Waiter = {
        priority: this.priority,
        ticket: tickets++,
        tryEnter: () => {
          const usable = this.usable(tier, mayCool);
          const place = this.takeOne(usable);
          if (place !== null || usable.length === 0) leave(place);
          return place !== null;
        },
      };
      const timer = this.clock.after(queueMs, () => leave(null));
      signal.onStop(onStop);
      tier.waiting++;
      for (const line of lines) line.join(waiter);
    });
  }
}

const placeAt = (target: RouteTarget): Place | null =>
  target.state.isFull ? null : { target, lease: target.state.take() };
