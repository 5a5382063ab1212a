import type { Clock, Timer } from './clock.js';

/** The longest time from one look at the clock to the next. */
const LOOK_MS = 5_000;

/**
 * Fires when nothing has happened for a while. Each sign of life costs a reading of the clock, not a new timer: the one
 * there is sets itself anew for what remains, and looks around often enough to serve for another limit too.
 */
export class IdleTimer {
  private timer: Timer | null = null;
  private limitMs = 0;
  private lastMs = 0;
  private onIdle: () => void = () => undefined;
  private isPaused = false;

  constructor(private readonly clock: Clock) {}

  /** From now on, and in place of what was set before. A pause goes on. */
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

  /** No time passes until {@link resume}, which begins the limit anew. */
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
      if (this.isIdle()) this.askAgain();
    });
  }

  /**
   * Timers run before sockets are read. When this process itself stood still, what came meanwhile waits there: it is
   * read before anybody is called silent.
   */
  private askAgain(): void {
    const immediate = setImmediate(() => {
      if (!this.isIdle()) return;
      this.timer = null;
      this.onIdle();
    });
    this.timer = { cancel: () => clearImmediate(immediate) };
  }

  /** Sets the timer anew where time is left. */
  private isIdle(): boolean {
    const leftMs = this.isPaused ? this.limitMs : this.lastMs + this.limitMs - this.clock.now();
    // Timers may run a little early: what is left of a millisecond is none.
    if (leftMs < 1) return true;
    this.arm(leftMs);
    return false;
  }
}
