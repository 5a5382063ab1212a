import type { Clock } from '../../shared/time/clock.js';
import type { HealthLimits } from '../policy/limits.js';
import { SlidingCounts } from './sliding-counts.js';

const WINDOW_MIN = 20;
/** Length of the window of outcomes. */
const SECONDS = 30;
const ALL = 0;
const FAILURES = 1;

export type BreakerState = 'closed' | 'open' | 'half-open';

/**
 * Circuit breaker of a target: opens after some failures in a row, or when half of many recent requests failed. After
 * its wait it is half-open: one real request at a time probes whether the target is back. Our own, because the usual
 * libraries wrap a call and decide by its rejection; here the outcome of a stream comes late, in three kinds.
 */
export class Breaker {
  private readonly window = new OutcomeWindow();
  private failuresInRow = 0;
  /** Null: closed. */
  private openedUntilMs: number | null = null;
  private openMs: number;
  /** When it was last opened or closed. */
  private changedMs: number;
  private isProbing = false;

  constructor(
    private readonly limits: HealthLimits,
    private readonly clock: Clock,
  ) {
    this.openMs = limits.breakerOpenMs;
    this.changedMs = clock.now();
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

  /** Milliseconds since it entered its state. */
  get sinceMs(): number {
    const isHalfOpen = this.state === 'half-open';
    return this.clock.now() - (isHalfOpen ? (this.openedUntilMs as number) : this.changedMs);
  }

  /** Milliseconds until the breaker is half-open; 0: a request may be sent now. */
  get opensInMs(): number {
    return this.openedUntilMs === null ? 0 : Math.max(0, this.openedUntilMs - this.clock.now());
  }

  /** A request is sent. @returns whether it is a probe; one of the methods below must report how it ended */
  enter(): boolean {
    if (this.state !== 'half-open') return false;
    this.isProbing = true;
    return true;
  }

  succeed(isProbe: boolean): void {
    const { state } = this;
    if (isProbe) this.isProbing = false;
    // A request that began before the breaker opened does not close it early.
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
    if (isBad) this.open(nowMs);
  }

  /** The request ended without saying anything about the target: the caller left, or the request was wrong. */
  release(isProbe: boolean): void {
    if (isProbe) this.isProbing = false;
  }

  private failProbe(): void {
    this.isProbing = false;
    this.openMs = Math.min(2 * this.openMs, this.limits.breakerOpenMaxMs);
    this.open(this.clock.now());
  }

  private open(nowMs: number): void {
    this.changedMs = nowMs;
    this.openedUntilMs = nowMs + this.openMs;
  }

  private close(): void {
    this.openedUntilMs = null;
    this.changedMs = this.clock.now();
    this.openMs = this.limits.breakerOpenMs;
    this.window.clear();
  }
}

/** Counts outcomes of the last thirty seconds, in steps of one. */
class OutcomeWindow {
  private readonly counts = new SlidingCounts(SECONDS, 1_000, 2);

  add(isFailure: boolean, nowMs: number): void {
    this.counts.add(ALL, nowMs);
    if (isFailure) this.counts.add(FAILURES, nowMs);
  }

  /** At least `min` outcomes, and half of them failures. */
  isBad(min: number, nowMs: number): boolean {
    const total = this.counts.sum(ALL, nowMs);
    return total >= min && this.counts.sum(FAILURES, nowMs) >= total / 2;
  }

  clear(): void {
    this.counts.clear();
  }
}
