import type { Clock } from '../upstreams/clock.js';
import type { Target } from '../upstreams/target.js';
import type { TargetFailure } from '../upstreams/target-failure.js';

import { Breaker } from './breaker.js';
import { Cooling } from './cooling.js';
import { FAULTS } from './faults.js';
import type { HealthLimits } from './limits.js';
import { WaitingLine } from './waiting-line.js';

/** The right to one request at a target, from dispatch to its end. Exactly one of its methods is called, once. */
export interface Lease {
  /** The first real request after the breaker was open. */
  readonly isProbe: boolean;
  succeed(): void;
  fail(failure: TargetFailure): void;
  /** The caller left. */
  release(): void;
}

/** Requests that fail by a crash within this time fail by the same one. */
const SAME_CRASH_MS = 1_000;

/** What this process knows about a target: its load and its health, over all routes. */
export class TargetState {
  /** `<upstream>/<model>`, for records and metrics. */
  readonly name: string;
  inFlight = 0;
  readonly breaker: Breaker;
  readonly cooling: Cooling;
  /** Requests that wait for a place. */
  readonly line = new WaitingLine();
  private outUntilMs = 0;
  private crashedAtMs = -Infinity;

  /** @param maxConcurrency requests at once */
  constructor(
    readonly target: Target,
    private readonly maxConcurrency: number,
    private readonly limits: HealthLimits,
    private readonly clock: Clock,
  ) {
    this.name = `${target.upstream}/${target.model}`;
    this.breaker = new Breaker(limits, clock);
    this.cooling = new Cooling(limits, clock);
  }

  /** It may be sent a request, if it has a place. */
  get isUsable(): boolean {
    return (this.outUntilMs === 0 || this.clock.now() >= this.outUntilMs) && this.breaker.isPassable;
  }

  get isFull(): boolean {
    return this.inFlight >= this.maxConcurrency;
  }

  /** When it may be usable again, from now. */
  get usableInMs(): number {
    return Math.max(this.breaker.opensInMs, this.outUntilMs - this.clock.now(), 0);
  }

  /** The configuration was read again: what was missing may be there. */
  readmit(): void {
    this.outUntilMs = 0;
  }

  take(): Lease {
    this.inFlight++;
    return new HeldLease(this, this.breaker.enter());
  }

  /** @param how the request ended; null: its caller left */
  giveBack(how: 'success' | TargetFailure | null, isProbe: boolean): void {
    if (how === 'success') this.succeed(isProbe);
    else if (how === null) this.breaker.release(isProbe);
    else this.fail(how, isProbe);
    this.inFlight--;
    // Someone may go in now, or learn that there is nothing to wait for.
    this.line.advance();
  }

  private succeed(isProbe: boolean): void {
    this.breaker.succeed(isProbe);
    this.cooling.end();
  }

  private fail({ reason, retryAfterMs }: TargetFailure, isProbe: boolean): void {
    const { health } = FAULTS[reason];
    switch (health) {
      case 'failure':
        return this.breaker.fail(isProbe);
      case 'crash':
        return this.crash(isProbe);
      case 'cooling':
        this.cooling.begin(retryAfterMs);
        return this.breaker.release(isProbe);
      case 'out':
        this.outUntilMs = this.clock.now() + this.limits.outMs;
        return this.breaker.release(isProbe);
      case 'none':
        return this.breaker.release(isProbe);
    }
  }

  private crash(isProbe: boolean): void {
    const nowMs = this.clock.now();
    if (nowMs - this.crashedAtMs < SAME_CRASH_MS) return this.breaker.release(isProbe);
    this.crashedAtMs = nowMs;
    this.breaker.fail(isProbe);
  }
}

class HeldLease implements Lease {
  private isOpen = true;

  constructor(
    private readonly state: TargetState,
    readonly isProbe: boolean,
  ) {}

  succeed(): void {
    this.end('success');
  }

  fail(failure: TargetFailure): void {
    this.end(failure);
  }

  release(): void {
    this.end(null);
  }

  private end(how: 'success' | TargetFailure | null): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.state.giveBack(how, this.isProbe);
  }
}
