import type { Clock } from '../upstreams/clock.js';

import type { HealthLimits } from './limits.js';
import { OutcomeWindow } from './outcome-window.js';

const WINDOW_MIN = 20;

export type BreakerState = 'closed' | 'open' | 'half-open';

/**
 * Keeps requests from a target that fails: open after some failures in a row, or when half of many recent requests
 * failed. Once the wait has lapsed, one real request at a time shows whether the target is back.
 */
export class Breaker {
  private readonly window = new OutcomeWindow();
  private failuresInRow = 0;
  /** Null: closed. */
  private openedUntilMs: number | null = null;
  private openMs: number;
  private isProbing = false;

  constructor(
    private readonly limits: HealthLimits,
    private readonly clock: Clock,
  ) {
    this.openMs = limits.breakerOpenMs;
  }

  get state(): BreakerState {
    if (this.openedUntilMs === null) return 'closed';
    return this.clock.now() < this.openedUntilMs ? 'open' : 'half-open';
  }

  /** Whether a request may be sent now. */
  get isPassable(): boolean {
    const { state } = this;
    return state === 'closed' || (state === 'half-open' && !this.isProbing);
  }

  /** When a request may be tried again, from now; 0: at once. */
  get opensInMs(): number {
    return this.openedUntilMs === null ? 0 : Math.max(0, this.openedUntilMs - this.clock.now());
  }

  /** A request is sent. @returns whether it is a probe, whose end must be told by one of the calls below */
  enter(): boolean {
    if (this.state !== 'half-open') return false;
    this.isProbing = true;
    return true;
  }

  succeed(isProbe: boolean): void {
    const { state } = this;
    if (isProbe) this.isProbing = false;
    // One that began before the breaker opened says nothing as long as the wait lasts.
    if (state === 'open' && !isProbe) return;
    if (state === 'closed') this.window.add(false, this.clock.now());
    else this.close();
    this.failuresInRow = 0;
  }

  fail(isProbe: boolean): void {
    if (isProbe) return this.failProbe();
    if (this.state !== 'closed') return;
    const nowMs = this.clock.now();
    this.window.add(true, nowMs);
    this.failuresInRow++;
    const isBad = this.failuresInRow >= this.limits.breakerFailures || this.window.isBad(WINDOW_MIN, nowMs);
    if (isBad) this.openedUntilMs = nowMs + this.openMs;
  }

  /** The request ended without a word about the target: the caller left, or was wrong. */
  release(isProbe: boolean): void {
    if (isProbe) this.isProbing = false;
  }

  private failProbe(): void {
    this.isProbing = false;
    this.openMs = Math.min(2 * this.openMs, this.limits.breakerOpenMaxMs);
    this.openedUntilMs = this.clock.now() + this.openMs;
  }

  private close(): void {
    this.openedUntilMs = null;
    this.openMs = this.limits.breakerOpenMs;
    this.window.clear();
  }
}
