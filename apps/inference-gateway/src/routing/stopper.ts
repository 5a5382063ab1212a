import type { Clock, Timer } from '../upstreams/clock.js';

/** The reason with which a request's signal is aborted when the process ends and cannot wait any longer. */
export const SERVER_SHUTDOWN = Symbol('server shutdown');

/** Why a request ends early. `left`: the caller; `stuck`: the caller takes nothing. */
export type StopReason = 'left' | 'stuck' | 'timeout' | 'shutdown';

/** What is told when a request ends early; an AbortSignal of one's own would cost each request microseconds. */
export interface StopSignal {
  readonly isStopped: boolean;
  onStop(run: () => void): void;
  offStop(run: () => void): void;
}

/** Ends a request early, whatever it is waiting for. */
export class Stopper implements StopSignal {
  reason: StopReason | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly limit: Timer;
  private readonly onAbort = () => this.stop(this.caller.reason === SERVER_SHUTDOWN ? 'shutdown' : 'left');

  /** @param totalMs the whole request may take */
  constructor(
    private readonly caller: AbortSignal,
    totalMs: number,
    private readonly clock: Clock,
  ) {
    this.limit = clock.after(totalMs, () => this.stop('timeout'));
    if (caller.aborted) this.onAbort();
    else caller.addEventListener('abort', this.onAbort, { once: true });
  }

  get isStopped(): boolean {
    return this.reason !== null;
  }

  stop(reason: StopReason): void {
    if (this.reason !== null) return;
    this.reason = reason;
    for (const run of [...this.listeners]) run();
  }

  onStop(run: () => void): void {
    this.listeners.add(run);
  }

  offStop(run: () => void): void {
    this.listeners.delete(run);
  }

  /** Waits, or less if the request is stopped. */
  sleep(ms: number): Promise<void> {
    if (ms <= 0 || this.isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        timer.cancel();
        this.offStop(wake);
        resolve();
      };
      const timer = this.clock.after(ms, wake);
      this.onStop(wake);
    });
  }

  /** The request has ended. */
  close(): void {
    this.limit.cancel();
    this.caller.removeEventListener('abort', this.onAbort);
  }
}
