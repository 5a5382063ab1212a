import { type JobLease, type JobPhase, type JobTimes, type Lease, LeaseLostError } from '@hone/training-jobs';

/**
 * Why an attempt stops before its end: a user cancelled the job; the lease is lost; no heartbeat succeeded for so
 * long that the lease may be lost; or the worker stops.
 */
export type StopReason = 'cancelled' | 'lost' | 'silent' | 'stopping';

/** Reason of an abort signal. */
export class AttemptStoppedError extends Error {
  constructor(readonly reason: StopReason) {
    super(`The attempt stops: ${reason}.`);
  }
}

/** The worker stops the attempt after this part of a lease without a successful heartbeat: another may soon claim it. */
const SILENT_PART = 2 / 3;
const CHECKS_PER_LEASE = 6;

/** Extends the lease of one attempt with heartbeats while it runs, and aborts the attempt when it has to stop. */
export class LeaseKeeper {
  /** The current phase of the attempt. */
  phase: JobPhase = 'planning';
  private readonly stopping = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private lastGoodMs = performance.now();
  private lastSentMs = performance.now();
  private isAsking = false;
  private hasProgress = false;
  private isEnding = false;

  constructor(
    private readonly lease: Lease,
    private readonly jobs: JobLease,
    private readonly times: JobTimes,
  ) {
    const seconds = Math.min(times.heartbeatSeconds, times.leaseSeconds / CHECKS_PER_LEASE);
    this.timer = setInterval(() => this.tick(), seconds * 1000);
  }

  /** Aborted with an {@link AttemptStoppedError}. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  stop(reason: StopReason): void {
    this.stopping.abort(new AttemptStoppedError(reason));
  }

  /** Reports with the next heartbeat that work progressed between gradient steps: the job is not stalled. */
  progressed(): void {
    this.hasProgress = true;
  }

  /**
   * From now on a lost lease does not stop the attempt: the write that ends the job checks the lease itself, and a
   * heartbeat that crosses it may find the job already over.
   */
  ending(): void {
    this.isEnding = true;
  }

  /** Sends a heartbeat at once: the job may have been cancelled. */
  async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    this.lastSentMs = performance.now();
    const hasProgress = this.hasProgress;
    this.hasProgress = false;
    try {
      const { cancel } = await this.jobs.heartbeat(this.lease, this.phase, hasProgress);
      this.lastGoodMs = this.lastSentMs;
      if (cancel) this.stop('cancelled');
    } catch (error) {
      // Any other error is passing trouble: the next heartbeat may succeed.
      this.hasProgress ||= hasProgress;
      if (error instanceof LeaseLostError && !this.isEnding) this.stop('lost');
    } finally {
      this.isAsking = false;
    }
  }

  close(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const now = performance.now();
    if (now - this.lastGoodMs > this.times.leaseSeconds * 1000 * SILENT_PART) this.stop('silent');
    else if (now - this.lastSentMs >= this.times.heartbeatSeconds * 1000 * 0.99) void this.ask();
  }
}
