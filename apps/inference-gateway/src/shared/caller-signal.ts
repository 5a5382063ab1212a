/** Why a request is cancelled: the caller left, or the process shuts down. */
export type CallerEnd = 'left' | 'shutdown';

/**
 * Cancellation signal of a request: fires once. Our own, because an `AbortSignal` costs each request as much as parsing
 * its body.
 */
export class CallerSignal {
  private endReason: CallerEnd | null = null;
  private listener: ((reason: CallerEnd) => void) | null = null;

  /** Null: the caller still waits. */
  get reason(): CallerEnd | null {
    return this.endReason;
  }

  /** @param run replaces the current listener; called at once if the signal has fired; null: removes the listener */
  onEnd(run: ((reason: CallerEnd) => void) | null): void {
    this.listener = run;
    if (this.endReason !== null) run?.(this.endReason);
  }

  /** The first reason holds. */
  end(reason: CallerEnd): void {
    if (this.endReason !== null) return;
    this.endReason = reason;
    this.listener?.(reason);
  }
}
