import type { Clock, Timer } from '../upstreams/clock.js';

/** The reason with which a request's signal is aborted when the process ends and cannot wait any longer. */
export const SERVER_SHUTDOWN = Symbol('server shutdown');

/** Why a request ends early. `left`: the caller; `stuck`: the caller takes nothing. */
export type StopReason = 'left' | 'stuck' | 'timeout' | 'shutdown';

/** Ends a request early, whatever it is waiting for. */
export class Stopper {
  reason: StopReason | null = null;
  private readonly controller = new AbortController();
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

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isStopped(): boolean {
    return this.reason !== null;
  }

  stop(reason: StopReason): void {
    if (this.reason !== null) return;
    this.reason = reason;
    this.controller.abort();
  }

  /** Waits, or less if the request is stopped. */
  sleep(ms: number): Promise<void> {
    if (ms <= 0 || this.isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        timer.cancel();
        this.signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = this.clock.after(ms, wake);
      this.signal.addEventListener('abort', wake, { once: true });
    });
  }

  /** The request has ended. */
  close(): void {
    this.limit.cancel();
    this.caller.removeEventListener('abort', this.onAbort);
  }
}
