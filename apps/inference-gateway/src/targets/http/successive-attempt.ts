import type { RunningAttempt, TokenUsage } from '../target.js';

/** An attempt that is several ones, of which one runs at a time: what is asked of it is asked of that one. */
export abstract class SuccessiveAttempt implements RunningAttempt {
  /** Set by the constructors of subclasses, which begin the first one when their own members are there. */
  private running!: RunningAttempt;
  private isPaused = false;

  pause(): void {
    this.isPaused = true;
    this.running.pause();
  }

  resume(): void {
    this.isPaused = false;
    this.running.resume();
  }

  abort(): void {
    this.running.abort();
  }

  produced(): TokenUsage {
    return this.running.produced();
  }

  get malformedFrames(): number {
    return this.running.malformedFrames ?? 0;
  }

  /** @param next has begun, in place of the one that has ended */
  protected goOn(next: RunningAttempt): void {
    this.running = next;
    if (this.isPaused) next.pause();
  }
}
