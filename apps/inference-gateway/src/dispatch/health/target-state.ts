import type { Clock } from '../../shared/time/clock.js';
import type { Target } from '../../targets/target.js';
import type { TargetFailure } from '../../targets/target-failure.js';
import { FAULT_TABLE } from '../policy/fault-table.js';
import type { HealthLimits } from '../policy/limits.js';
import { Breaker } from './breaker.js';
import { Cooldown } from './cooldown.js';
import { RecentAttempts } from './recent-attempts.js';
import { SlotQueue } from './slot-queue.js';

/** One of a target's concurrent requests, from dispatch to its end. Call exactly one of its methods, once. */
export interface Slot {
  /** It is the first request since the breaker opened: its outcome closes the breaker or opens it again. */
  readonly isProbe: boolean;
  succeed(): void;
  fail(failure: TargetFailure): void;
  /** The attempt ended without saying anything about the target: the caller left. */
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
  readonly cooldown: Cooldown;
  /** Requests that wait for a slot. */
  readonly queue = new SlotQueue();
  readonly recent: RecentAttempts;
  /** Learned: it answers with one choice where several are asked for. Until the configuration is reloaded. */
  givesOneChoice = false;
  private outUntilMs = 0;
  private crashedAtMs = -Infinity;

  /** @param maxConcurrency slots: requests at once */
  constructor(
    readonly target: Target,
    readonly maxConcurrency: number,
    private readonly limits: HealthLimits,
    private readonly clock: Clock,
  ) {
    this.name = `${target.upstream}/${target.model}`;
    this.breaker = new Breaker(limits, clock);
    this.cooldown = new Cooldown(limits, clock);
    this.recent = new RecentAttempts(clock);
  }

  /** Healthy: a request may be sent to it, if a slot is free. */
  get isUsable(): boolean {
    return this.outForMs === 0 && this.breaker.isPassable;
  }

  /** Milliseconds for which it is out: its key, its quota or the model is missing. 0: it is not. */
  get outForMs(): number {
    return this.outUntilMs === 0 ? 0 : Math.max(0, this.outUntilMs - this.clock.now());
  }

  get isFull(): boolean {
    return this.inFlight >= this.maxConcurrency;
  }

  /** Milliseconds until it may be usable again. */
  get usableInMs(): number {
    return Math.max(this.breaker.opensInMs, this.outForMs);
  }

  /** The configuration was reloaded: a key, quota, model or ability that was missing may be there now. */
  readmit(): void {
    this.outUntilMs = 0;
    this.givesOneChoice = false;
  }

  acquire(): Slot {
    this.inFlight++;
    return new HeldSlot(this, this.breaker.enter());
  }

  /** @param outcome null: the attempt says nothing about the target */
  release(outcome: 'success' | TargetFailure | null, isProbe: boolean): void {
    if (outcome === 'success') this.succeed(isProbe);
    else if (outcome === null) this.breaker.release(isProbe);
    else this.fail(outcome, isProbe);
    this.inFlight--;
    // A waiter may take the slot, or learn that no target of its tier is usable any longer.
    this.queue.advance();
  }

  private succeed(isProbe: boolean): void {
    this.breaker.succeed(isProbe);
    this.cooldown.end();
  }

  private fail({ reason, retryAfterMs, hasOneChoice = false }: TargetFailure, isProbe: boolean): void {
    if (hasOneChoice) this.givesOneChoice = true;
    const { health } = FAULT_TABLE[reason];
    switch (health) {
      case 'failure':
        return this.breaker.fail(isProbe);
      case 'crash':
        return this.crash(isProbe);
      case 'cooling':
        this.cooldown.begin(retryAfterMs);
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

class HeldSlot implements Slot {
  private isHeld = true;

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

  private end(outcome: 'success' | TargetFailure | null): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.state.release(outcome, this.isProbe);
  }
}
