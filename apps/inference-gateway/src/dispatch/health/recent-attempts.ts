import type { FailureReason } from '../../shared/failure-reason.js';
import type { Clock } from '../../shared/time/clock.js';
import type { BreakerState } from './breaker.js';
import { LatencyWindow, type Quantiles } from './latency-window.js';
import { SlidingCounts } from './sliding-counts.js';

const MINUTES = 5;
const MINUTE_MS = 60_000;
/** Length of the window in which attempts count: the current minute and the four before it. */
export const RECENT_SECONDS = (MINUTES * MINUTE_MS) / 1_000;
/** How many failures are kept, the newest ones. */
export const KEPT_FAILURES = 20;

const ALL = 0;
const FAILED = 1;

/** The request is at fault: callers who send such requests must not displace what says something about the target. */
const OF_THE_REQUEST: ReadonlySet<FailureReason> = new Set([
  'rejected',
  'context_length',
  'content_filter',
  'dead_end',
]);

/** A failed attempt: what happened, never what was asked or answered, and no text of the upstream. */
export interface FailedAttempt {
  /** By the clock of the target. */
  readonly atMs: number;
  /** Id of the route that was asked for. */
  readonly route: string;
  /** Id of the request. */
  readonly rid: string;
  /** 1 for the first attempt of its request, at any target. */
  readonly number: number;
  readonly reason: FailureReason;
  /** Null: the upstream did not answer. */
  readonly upstreamStatus: number | null;
  readonly durationMs: number;
  /** The caller had a part of the answer, so nothing else could be tried. */
  readonly isForwarded: boolean;
  /** Right after the failure. */
  readonly breaker: BreakerState;
  /** Name of the target that the request tried next; null: none, or not yet. */
  movedTo: string | null;
}

/** Attempts at one target over the last minutes. Constant memory: about eight kilobytes once it has been asked. */
export class RecentAttempts {
  private readonly counts = new SlidingCounts(MINUTES, MINUTE_MS, 2);
  /** A ring: the oldest is replaced. */
  private readonly failed: FailedAttempt[] = [];
  private next = 0;
  /** Null until there is something to measure: most targets of trained models are asked rarely. */
  private durations: LatencyWindow | null = null;
  private firstTokens: LatencyWindow | null = null;

  constructor(private readonly clock: Clock) {}

  /** @param firstTokenMs of a stream, from dispatch to its first answer frame; null: the answer was one body */
  answered(durationMs: number, firstTokenMs: number | null): void {
    const nowMs = this.clock.now();
    this.counts.add(ALL, nowMs);
    (this.durations ??= new LatencyWindow(MINUTES, MINUTE_MS)).add(durationMs, nowMs);
    if (firstTokenMs === null) return;
    (this.firstTokens ??= new LatencyWindow(MINUTES, MINUTE_MS)).add(firstTokenMs, nowMs);
  }

  /** A request that is at fault itself is counted, but is no failure of the target. */
  failedWith(attempt: FailedAttempt): void {
    this.counts.add(ALL, attempt.atMs);
    if (OF_THE_REQUEST.has(attempt.reason)) return;
    this.counts.add(FAILED, attempt.atMs);
    this.failed[this.next] = attempt;
    this.next = (this.next + 1) % KEPT_FAILURES;
  }

  /** Attempts that have ended; those that callers aborted are not among them. */
  get total(): number {
    return this.counts.sum(ALL, this.clock.now());
  }

  get failures(): number {
    return this.counts.sum(FAILED, this.clock.now());
  }

  /** Of whole answers, from dispatch to their end. */
  get durationMs(): Quantiles | null {
    return this.durations?.quantiles(this.clock.now()) ?? null;
  }

  /** Of streams, from dispatch to the first answer frame. */
  get firstTokenMs(): Quantiles | null {
    return this.firstTokens?.quantiles(this.clock.now()) ?? null;
  }

  /** The newest first, whenever they were. */
  lastFailures(limit: number): readonly FailedAttempt[] {
    return [...this.failed.slice(this.next), ...this.failed.slice(0, this.next)].reverse().slice(0, limit);
  }
}
