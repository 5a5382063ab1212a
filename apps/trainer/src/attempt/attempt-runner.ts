import { join, resolve } from 'node:path';

import { type ClaimedJob, type JobError, LeaseLostError } from '@hone/training-jobs';

import { deleteResumePoints } from '../collector/resume-points.js';
import { toJobError } from './attempt-failure.js';
import { type AttemptTools, JobAttempt } from './job-attempt.js';
import { LeaseKeeper } from './lease-keeper.js';
import { AttemptStoppedError } from './stop.js';
import { whenDatabaseAnswers } from './when-database-answers.js';

/** An attempt under way. */
export interface RunningAttempt {
  readonly jobId: string;
  readonly keeper: LeaseKeeper;
  /** Resolves when it has ended, however. */
  readonly ended: Promise<void>;
}

/** Runs attempts and settles how they end. */
export class AttemptRunner {
  constructor(private readonly tools: AttemptTools) {}

  start(claimed: ClaimedJob, drain: AbortSignal): RunningAttempt {
    const { jobs, config } = this.tools;
    const keeper = new LeaseKeeper(claimed.lease, jobs, config.jobTimes);
    const ended = this.carryOut(claimed, keeper, drain).finally(() => keeper.close());
    return { jobId: claimed.job.id, keeper, ended };
  }

  private async carryOut(claimed: ClaimedJob, keeper: LeaseKeeper, drain: AbortSignal): Promise<void> {
    const { job } = claimed;
    try {
      const outcome = await new JobAttempt(this.tools, claimed, keeper, drain).carryOut();
      if (outcome === 'drained') await this.requeue(claimed);
      else await deleteResumePoints(this.tools.store, job.id);
    } catch (error) {
      await this.settle(claimed, error, keeper, drain).catch((cause: unknown) => {
        // The job's lease ends by itself.
        this.tools.log.error({ err: cause, job_id: job.id }, 'how an attempt ended could not be written down');
      });
    }
  }

  private async settle(claimed: ClaimedJob, error: unknown, keeper: LeaseKeeper, drain: AbortSignal): Promise<void> {
    const reason = keeper.signal.aborted ? (keeper.signal.reason as AttemptStoppedError).reason : null;
    if (reason === 'stopping') return this.requeue(claimed);
    if (reason !== null || error instanceof LeaseLostError) return this.stop(claimed, reason ?? 'lost');
    // Planning ends with the reason of the signal; nothing of it is worth keeping.
    if (drain.aborted && error === drain.reason) return this.requeue(claimed);
    await this.fail(claimed, error);
  }

  private async stop({ lease, job }: ClaimedJob, reason: string): Promise<void> {
    const wasCancelled = reason !== 'silent' && (await this.writing(() => this.tools.jobs.cancelSeen(lease)));
    if (wasCancelled) await deleteResumePoints(this.tools.store, job.id);
    const fields = { job_id: job.id, attempt: lease.attempt, reason: wasCancelled ? 'cancelled' : reason };
    this.tools.log.info(fields, 'an attempt stopped');
  }

  private async requeue({ lease, job }: ClaimedJob): Promise<void> {
    const status = await this.writing(() => this.tools.jobs.drain(lease));
    this.tools.log.info({ job_id: job.id, attempt: lease.attempt, status }, 'a job was given back');
  }

  private async fail({ lease, job }: ClaimedJob, cause: unknown): Promise<void> {
    const { jobs, log } = this.tools;
    const error = this.describe(cause);
    const status = await this.writing(() => (error.retryable ? jobs.retry(lease, error) : jobs.fail(lease, error)));
    const fields = { job_id: job.id, attempt: lease.attempt, code: error.code, status };
    if (error.code === 'server.internal') log.error({ ...fields, err: cause }, 'an attempt failed');
    else log.warn({ ...fields, reason: error.message }, 'an attempt failed');
    if (status !== 'queued') await deleteResumePoints(this.tools.store, job.id);
  }

  private describe(cause: unknown): JobError {
    const { dataDir, modelsDir, bundledModelsDir } = this.tools.config;
    const roots = [join(dataDir, 'artifacts'), dataDir, bundledModelsDir, ...(modelsDir === null ? [] : [modelsDir])];
    return toJobError(
      cause,
      roots.map((root) => resolve(root)),
    );
  }

  /** Whatever else has stopped, how it ended is told for as long as the lease may last. */
  private writing<T>(work: () => Promise<T>): Promise<T> {
    return whenDatabaseAnswers(work, AbortSignal.timeout(this.tools.config.jobTimes.leaseSeconds * 1000));
  }
}
