import type { Clock, Timer } from '../upstreams/clock.js';

/** Why a request ends early. `left`: the caller; `stuck`: the caller takes nothing. */
export type StopReason = 'left' | 'stuck' | 'timeout' | 'shutdown';

/**
 * Tells when nobody waits for an answer any longer: its caller has left, or the process ends. An AbortSignal would do,
 * and cost each request as much as the parsing of its body.
 */
export class CallerSignal {
  #reason: 'left' | 'shutdown' | null = null;
  #onEnd: ((reason: 'left' | 'shutdown') => void) | null = null;

  /** Null: somebody waits. */
  get reason(): 'left' | 'shutdown' | null {
    return this.#reason;
  }

  /** @param run called at once when it has ended; in place of the one before it; null: nobody listens any longer */
  onEnd(run: ((reason: 'left' | 'shutdown') => void) | null): void {
    this.#onEnd = run;
    if (this.#reason !== null) run?.(this.#reason);
  }

  /** The first reason holds. */
  end(reason: 'left' | 'shutdown'): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#onEnd?.(reason);
  }
}

/** What is told when a request ends early, whatever the reason. */
export interface StopSignal {
  readonly isStopped: boolean;
  onStop(run: () => void): void;
  offStop(run: () => void): void;
}

/** Ends a request early, whatever it is waiting for. */
export class Stopper implements StopSignal {
  reason: StopReason | null = null;
  private readonly listeners: (() => void)[] = [];
  private readonly limit: Timer;

  /** @param totalMs the whole request may take */
  constructor(
    private readonly caller: CallerSignal,
    totalMs: number,
    private readonly clock: Clock,
  ) {
    this.limit = clock.after(totalMs, () => this.stop('timeout'));
    caller.onEnd((reason) => this.stop(reason));
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
    this.listeners.push(run);
  }

  offStop(run: () => void): void {
    const at = this.listeners.indexOf(run);
    if (at >= 0) this.listeners.splice(at, 1);
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
    this.caller.onEnd(null);
  }
}
