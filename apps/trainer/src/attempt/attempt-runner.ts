import { join, resolve } from 'node:path';

import type { ArtifactStore } from '@hone/artifacts';
import { type ClaimedJob, type JobError, type JobKind, JobLease, LeaseLostError } from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { TRAINER_CONFIG, type TrainerConfig } from '../config/trainer.config.js';
import { ARTIFACT_STORE } from '../config/trainer.tokens.js';
import { whenDatabaseAnswers } from '../database/when-database-answers.js';
import type { JobEngine } from '../engines/job-engine.js';
import { resolveJob } from '../planning/resolved-job.js';
import { TrainerLog } from '../telemetry/trainer-log.js';
import { type AttemptOutcome, TrainerMetrics } from '../telemetry/trainer-metrics.js';
import { deleteResumePoints } from '../workspace/resume-points.js';
import { AttemptService } from './attempt.service.js';
import { toJobError } from './attempt-failure.js';
import { type AttemptStoppedError, LeaseKeeper, type StopReason } from './lease-keeper.js';

/** Codes of engines that are unreachable or at capacity: the job stays in the queue, and no failure is counted. */
const POSTPONED = new Set(['engine.unreachable', 'engine.capacity']);
const MAX_WAIT_SECONDS = 60;

/** An attempt under way. */
export interface RunningAttempt {
  readonly jobId: string;
  readonly keeper: LeaseKeeper;
  /** Resolves when the attempt has ended, whatever its outcome. */
  readonly ended: Promise<AttemptOutcome>;
}

/** Runs attempts and settles how they end. */
@Injectable()
export class AttemptRunner {
  constructor(
    @Inject(TRAINER_CONFIG) private readonly config: TrainerConfig,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    private readonly jobs: JobLease,
    private readonly attempts: AttemptService,
    private readonly log: TrainerLog,
    private readonly metrics: TrainerMetrics,
  ) {}

  start(claimed: ClaimedJob, engine: JobEngine, drain: AbortSignal): RunningAttempt {
    const keeper = new LeaseKeeper(claimed.lease, this.jobs, this.config.jobTimes);
    const ended = this.run(claimed, engine, keeper, drain).finally(() => keeper.close());
    return { jobId: claimed.job.id, keeper, ended };
  }

  private async run(
    claimed: ClaimedJob,
    engine: JobEngine,
    keeper: LeaseKeeper,
    drain: AbortSignal,
  ): Promise<AttemptOutcome> {
    this.metrics.begin();
    const outcome = await this.carryOut(claimed, engine, keeper, drain).catch((error: unknown) => {
      // The lease expires, and the reaper requeues the job.
      this.log.error({ err: error, job_id: claimed.job.id }, 'how an attempt ended could not be written down');
      return 'lost' as const;
    });
    this.metrics.end(outcome);
    return outcome;
  }

  private async carryOut(
    claimed: ClaimedJob,
    engine: JobEngine,
    keeper: LeaseKeeper,
    drain: AbortSignal,
  ): Promise<AttemptOutcome> {
    try {
      const outcome = await this.attempts.carryOut({ ...resolveJob(claimed), engine, keeper, drain });
      return outcome === 'drained' ? await this.requeue(claimed) : await this.tidied(claimed, outcome);
    } catch (error) {
      return this.settle(claimed, engine, error, keeper, drain);
    }
  }

  private settle(
    claimed: ClaimedJob,
    engine: JobEngine,
    error: unknown,
    keeper: LeaseKeeper,
    drain: AbortSignal,
  ): Promise<AttemptOutcome> {
    const reason = keeper.signal.aborted ? (keeper.signal.reason as AttemptStoppedError).reason : null;
    if (reason === 'stopping') return this.requeue(claimed);
    if (reason !== null || error instanceof LeaseLostError) return this.stop(claimed, reason ?? 'lost');
    // A stopped planning run ends with the reason of the signal, and leaves nothing worth keeping.
    if (drain.aborted && error === drain.reason) return this.requeue(claimed);
    return this.fail(claimed, engine, error);
  }

  private async stop(claimed: ClaimedJob, reason: StopReason): Promise<AttemptOutcome> {
    const { lease, job } = claimed;
    const wasCancelled = reason !== 'silent' && (await this.writing(() => this.jobs.cancelSeen(lease)));
    const fields = { job_id: job.id, attempt: lease.attempt, reason: wasCancelled ? 'cancelled' : reason };
    this.log.info(fields, 'an attempt stopped');
    return wasCancelled ? this.tidied(claimed, 'cancelled') : 'lost';
  }

  private async requeue(claimed: ClaimedJob): Promise<AttemptOutcome> {
    const { lease, job } = claimed;
    const status = await this.writing(() => this.jobs.drain(lease));
    this.log.info({ job_id: job.id, attempt: lease.attempt, status }, 'a job was requeued');
    return status === 'queued' ? 'drained' : this.tidied(claimed, status);
  }

  private async fail(claimed: ClaimedJob, engine: JobEngine, cause: unknown): Promise<AttemptOutcome> {
    const { lease, job } = claimed;
    const error = this.describe(cause, job.kind);
    if (POSTPONED.has(error.code)) return this.postpone(claimed, engine, error);
    const status = await this.writing(() =>
      error.retryable ? this.jobs.retry(lease, error) : this.jobs.fail(lease, error),
    );
    const fields = { job_id: job.id, attempt: lease.attempt, code: error.code, status };
    if (error.code === 'server.internal') this.log.error({ ...fields, err: cause }, 'an attempt failed');
    else this.log.warn({ ...fields, reason: error.message }, 'an attempt failed');
    return status === 'queued' ? 'retried' : this.tidied(claimed, status);
  }

  /** Requeues the job without counting a failure: the engine cannot take it now. */
  private async postpone(claimed: ClaimedJob, engine: JobEngine, { code, message }: JobError): Promise<AttemptOutcome> {
    const { lease, job } = claimed;
    this.metrics.engines.wait(engine.name, code);
    const delay = Math.min(MAX_WAIT_SECONDS, 2 ** Math.min(job.attempt, 10));
    const status = await this.writing(() => this.jobs.postpone(lease, delay));
    this.log.warn({ job_id: job.id, attempt: job.attempt, code, reason: message }, 'a job waits for its engine');
    return status === 'queued' ? 'postponed' : this.tidied(claimed, status);
  }

  /** Deletes the resume points of a finished job. Those that cannot be deleted now, the collector deletes later. */
  private async tidied(claimed: ClaimedJob, outcome: AttemptOutcome): Promise<AttemptOutcome> {
    await deleteResumePoints(this.store, claimed.job.id).catch((error: unknown) => {
      this.log.warn({ err: error, job_id: claimed.job.id }, 'resume points could not be deleted');
    });
    return outcome;
  }

  private describe(cause: unknown, kind: JobKind): JobError {
    const { dataDir, modelsDir, bundledModelsDir } = this.config;
    const roots = [join(dataDir, 'artifacts'), dataDir, bundledModelsDir, ...(modelsDir === null ? [] : [modelsDir])];
    return toJobError(
      cause,
      roots.map((root) => resolve(root)),
      kind,
    );
  }

  /** Records the outcome, even while the worker stops, and retries for as long as the lease may last. */
  private writing<T>(work: () => Promise<T>): Promise<T> {
    return whenDatabaseAnswers(work, AbortSignal.timeout(this.config.jobTimes.leaseSeconds * 1000));
  }
}
