import { setTimeout as sleep } from 'node:timers/promises';

import { DomainError, PeriodicJob, ValidationError } from '@hone/platform';
import { Logger } from '@nestjs/common';

import { KeyEndedError } from '../gateway/gateway-session.js';
import type { Claim, LeasedJob } from './claim.record.js';
import type { LeasedItemsRepository } from './leased-items.repository.js';

const EVERY_MS = 1_000;
const MAX_JOBS = 50;
const RENEW_MS = 10_000;
const REPORT_EVERY_MS = 60_000;

interface Running<J, C> {
  readonly job: J;
  readonly claims: readonly C[];
}

/**
 * Does the items of jobs. Every replica of the service does; items are claimed, so that none is done twice. Claims are
 * renewed while they are worked on.
 */
export abstract class QueueWorker<J extends LeasedJob, C extends Claim> extends PeriodicJob {
  private readonly logger = new Logger(this.constructor.name);
  private readonly running = new Map<Promise<void>, Running<J, C>>();
  private readonly stopped = new AbortController();
  /** Jobs whose failures were logged, and when. */
  private readonly reportedAt = new Map<string, number>();

  /** @param slots batches that one process works on at once */
  protected constructor(
    private readonly items: LeasedItemsRepository<C>,
    private readonly slots: number,
  ) {
    super(EVERY_MS);
  }

  /** Jobs that have something to do, in any order: no project's many hold up those of others. */
  protected abstract due(limit: number): Promise<J[]>;

  /**
   * Takes a job a step further: {@link launch}es at most `slots` batches.
   *
   * @returns whether there may be more to do at once
   * @throws DomainError, ValidationError, KeyEndedError the job cannot be done
   */
  protected abstract advance(job: J, slots: number): Promise<boolean>;

  /** Ends a job for good. @returns false: it has ended before */
  protected abstract fail(job: J, reason: string): Promise<boolean>;

  /** Settles claims that could not be done for a fault of our own. */
  protected abstract failClaims(job: J, claims: readonly C[]): Promise<void>;

  override onApplicationShutdown(): void {
    super.onApplicationShutdown();
    this.stopped.abort();
  }

  /** Until nothing is due. */
  async run(): Promise<void> {
    const renewing = setInterval(() => void this.renewAll(), RENEW_MS);
    try {
      while (!this.isStopping) {
        // What ended while it looked for more has perhaps made more due.
        const wasIdle = this.running.size === 0;
        const started = await this.startSome();
        if (wasIdle && this.running.size === 0 && !started) break;
        // What comes meanwhile does not wait for a model that takes long.
        if (this.running.size >= this.slots || (!started && this.running.size > 0))
          await Promise.race([...this.running.keys(), sleep(EVERY_MS, undefined, { ref: false })]);
      }
      await Promise.all(this.running.keys());
    } finally {
      clearInterval(renewing);
    }
  }

  /** @param claims none: the work is about the job itself. @param work settles the claims; it throws where it could not */
  protected launch(job: J, claims: readonly C[], work: (signal: AbortSignal) => Promise<void>): void {
    const done = work(this.stopped.signal)
      .catch((error: unknown) => this.giveUp(job, claims, error))
      .finally(() => this.running.delete(done));
    this.running.set(done, { job, claims });
  }

  /** {@link launch}es work on claims, at most `size` of them at once. */
  protected launchBatches(
    job: J,
    claims: readonly C[],
    size: number,
    work: (batch: readonly C[], signal: AbortSignal) => Promise<void>,
  ): void {
    for (let at = 0; at < claims.length; at += size) {
      const batch = claims.slice(at, at + size);
      this.launch(job, batch, (signal) => work(batch, signal));
    }
  }

  /** Shares free slots among open jobs, so that a large one holds up no other. @returns whether anything was started */
  private async startSome(): Promise<boolean> {
    let hasStarted = false;
    const open = this.running.size < this.slots ? await this.due(MAX_JOBS) : [];
    for (const [at, job] of open.entries()) {
      const free = this.slots - this.running.size;
      if (free <= 0 || this.isStopping) break;
      if (await this.tryAdvance(job, Math.ceil(free / (open.length - at)))) hasStarted = true;
    }
    return hasStarted;
  }

  private async tryAdvance(job: J, slots: number): Promise<boolean> {
    try {
      return await this.advance(job, slots);
    } catch (error) {
      // Bad for good: the key has ended, a scorer or dataset is gone, a condition cannot be run.
      const isForGood = [DomainError, ValidationError, KeyEndedError].some((type) => error instanceof type);
      if (isForGood) return this.fail(job, (error as Error).message);
      this.reportFault(job, error);
      return false;
    }
  }

  /** One job that cannot go on holds up no other. The worker tries it again each second, and logs the fault once a minute. */
  private reportFault(job: J, error: unknown): void {
    const now = performance.now();
    for (const [id, at] of this.reportedAt) if (now - at > REPORT_EVERY_MS) this.reportedAt.delete(id);
    if (this.reportedAt.has(job.id)) return;
    this.reportedAt.set(job.id, now);
    this.logger.error(error, `Job ${job.id}: it could not go on, and is tried again.`);
  }

  /** What was claimed is claimed again: at once where the process stops in order, else as after any failure. */
  private async giveUp(job: J, claims: readonly C[], error: unknown): Promise<void> {
    try {
      if (error instanceof KeyEndedError) await this.fail(job, error.message);
      if (error instanceof KeyEndedError || this.isStopping) return await this.items.release(job.id, claims);
      this.logger.error(error, `Job ${job.id}: a batch was given up.`);
      await this.failClaims(job, claims);
    } catch (unreleased) {
      this.logger.error(unreleased, `Job ${job.id}: its items wait until their leases are over.`);
    }
  }

  private async renewAll(): Promise<void> {
    for (const { job, claims } of this.running.values())
      if (claims.length > 0) await this.items.renew(job.id, claims).catch(() => undefined);
  }
}
