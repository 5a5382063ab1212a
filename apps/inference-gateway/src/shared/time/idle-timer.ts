import type { Clock, Timer } from './clock.js';

/** Longest interval between two checks. */
const LOOK_MS = 5_000;

/**
 * Idle timeout: fires when {@link touch} was not called for a while. A touch only reads the clock: the running timer
 * restarts itself for the remaining time, at intervals that are short enough to apply a new limit too.
 */
export class IdleTimer {
  private timer: Timer | null = null;
  private limitMs = 0;
  private lastMs = 0;
  private onIdle: () => void = () => undefined;
  private isPaused = false;

  constructor(private readonly clock: Clock) {}

  /** Starts the timeout anew with another limit and callback. A pause continues. */
  start(limitMs: number, onIdle: () => void): void {
    this.limitMs = limitMs;
    this.onIdle = onIdle;
    this.lastMs = this.clock.now();
    if (this.timer !== null && limitMs >= LOOK_MS) return;
    this.stop();
    this.arm(limitMs);
  }

  touch(): void {
    this.lastMs = this.clock.now();
  }

  /** Stops the time until {@link resume}, which restarts the limit. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.touch();
  }

  stop(): void {
    this.timer?.cancel();
    this.timer = null;
  }

  private arm(ms: number): void {
    this.timer = this.clock.after(Math.min(ms, LOOK_MS), () => {
      if (this.isIdle()) this.confirmIdle();
    });
  }

  /**
   * Node runs timers before it reads sockets. After a freeze of this process data may wait in the sockets: it is read
   * before the peer counts as silent.
   */
  private confirmIdle(): void {
    const immediate = setImmediate(() => {
      if (!this.isIdle()) return;
      this.timer = null;
      this.onIdle();
    });
    this.timer = { cancel: () => clearImmediate(immediate) };
  }

  /** Restarts the timer if time is left. */
  private isIdle(): boolean {
    const leftMs = this.isPaused ? this.limitMs : this.lastMs + this.limitMs - this.clock.now();
    // Timers may fire a fraction of a millisecond early.
    if (leftMs < 1) return true;
    this.arm(leftMs);
    return false;
  }
}
