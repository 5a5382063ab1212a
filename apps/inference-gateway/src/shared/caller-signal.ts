/** Why a request is cancelled: the caller left, or the process shuts down. */
export type CallerEnd = 'left' | 'shutdown';

/**
 * Cancellation signal of a request: fires once. Our own, because an `AbortSignal` costs each request as much as parsing
 * its body.
 */
export class CallerSignal {
  #reason: CallerEnd | null = null;
  #onEnd: ((reason: CallerEnd) => void) | null = null;

  /** Null: the caller still waits. */
  get reason(): CallerEnd | null {
    return this.#reason;
  }

  /** @param run replaces the current listener; called at once if the signal has fired; null: removes the listener */
  onEnd(run: ((reason: CallerEnd) => void) | null): void {
    this.#onEnd = run;
    if (this.#reason !== null) run?.(this.#reason);
  }

  /** The first reason holds. */
  end(reason: CallerEnd): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#onEnd?.(reason);
  }
}
