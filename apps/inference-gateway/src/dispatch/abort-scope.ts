import type { CallerSignal } from '../shared/caller-signal.js';
import type { Clock, Timer } from '../shared/time/clock.js';

/** Why a request is aborted: the caller left, the caller reads nothing, the total time limit, or a shutdown. */
export type AbortReason = 'left' | 'stuck' | 'timeout' | 'shutdown';

/** The part of an {@link AbortScope} that waiting code needs. */
export interface AbortListeners {
  readonly isAborted: boolean;
  onAbort(run: () => void): void;
  offAbort(run: () => void): void;
}

/** Aborts one request, whatever it is waiting for. The first reason wins. */
export class AbortScope implements AbortListeners {
  reason: AbortReason | null = null;
  private readonly listeners: (() => void)[] = [];
  private readonly limit: Timer;

  /** @param totalMs time limit of the whole request */
  constructor(
    private readonly caller: CallerSignal,
    totalMs: number,
    private readonly clock: Clock,
  ) {
    this.limit = clock.after(totalMs, () => this.abort('timeout'));
    caller.onEnd((reason) => this.abort(reason));
  }

  get isAborted(): boolean {
    return this.reason !== null;
  }

  abort(reason: AbortReason): void {
    if (this.reason !== null) return;
    this.reason = reason;
    for (const run of [...this.listeners]) run();
  }

  onAbort(run: () => void): void {
    this.listeners.push(run);
  }

  offAbort(run: () => void): void {
    const at = this.listeners.indexOf(run);
    if (at >= 0) this.listeners.splice(at, 1);
  }

  /** Resolves after `ms`, or as soon as the request is aborted. */
  sleep(ms: number): Promise<void> {
    if (ms <= 0 || this.isAborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        timer.cancel();
        this.offAbort(wake);
        resolve();
      };
      const timer = this.clock.after(ms, wake);
      this.onAbort(wake);
    });
  }

  /** Call it when the request has ended: cancels the time limit and detaches from the caller. */
  close(): void {
    this.limit.cancel();
    this.caller.onEnd(null);
  }
}
