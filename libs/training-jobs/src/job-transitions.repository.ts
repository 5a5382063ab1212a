import { type CheckpointNotification, CHECKPOINTS_CHANNEL, Database, newId, Prisma } from '@hone/database';

import type { JobError } from './job-error.js';
import type { JobEventData, JobEventType } from './job-events.js';
import { JOB_EVENTS_CHANNEL, JOBS_CHANNEL } from './job-notifications.js';
import type { JobKind, JobStatus } from './job-record.js';
import type { JobTimes } from './job-times.js';

/** A job whose row this transaction has locked. */
export interface LockedJob {
  readonly id: string;
  readonly projectId: string;
  readonly modelId: string;
  readonly kind: JobKind;
  readonly status: JobStatus;
  readonly attempt: number;
  readonly failures: number;
  readonly stepsDone: number;
  readonly numSequences: number | null;
  readonly nextEventSeq: number;
  readonly parentId: string | null;
  readonly parentStep: number | null;
  readonly referenceId: string | null;
  readonly resumeUri: string | null;
  readonly planSha256: string | null;
  readonly roundsDone: number;
  readonly roundBase: number;
}

export const LOCKED_JOB_COLUMNS = Prisma.sql`
  id, project_id AS "projectId", model_id AS "modelId", kind, status, attempt, failures, steps_done AS "stepsDone",
  num_sequences AS "numSequences", next_event_seq AS "nextEventSeq", parent_id AS "parentId",
  parent_step AS "parentStep", reference_id AS "referenceId", resume_uri AS "resumeUri",
  plan_sha256 AS "planSha256", rounds_done AS "roundsDone", round_base AS "roundBase"`;

/** Seconds as a number -> an interval. */
export const seconds = (value: number): Prisma.Sql => Prisma.sql`make_interval(secs => ${value}::float8)`;

/** Cap of the backoff: with many failures allowed, a retry still comes within a minute. */
const MAX_DELAY_SECONDS = 60;

export const pinHolder = (jobId: string): string => `job:${jobId}`;

/** Ends or requeues a job. The caller's transaction holds the lock of the job's row. */
export class JobTransitions {
  constructor(
    private readonly database: Database,
    private readonly times: JobTimes,
  ) {}

  /** Ends the job without a checkpoint. */
  async end(job: LockedJob, status: 'cancelled' | 'failed', error: JobError): Promise<void> {
    await this.close(job, status, Prisma.sql`error = ${JSON.stringify(error)}::jsonb`);
    await this.appendEvent(job, 'training_failed', { error_message: error.message, code: error.code });
  }

  /** Sets the columns of a job that has ended, and releases its pins. */
  async close(job: LockedJob, status: JobStatus, more: Prisma.Sql): Promise<void> {
    const { client } = this.database;
    await client.$executeRaw`
      UPDATE training_jobs SET status = ${status}, finished_at = now(), phase = NULL, lease_owner = NULL,
        lease_expires_at = NULL, resume_uri = NULL, resume_sha256 = NULL, resume_step = NULL, ${more}
      WHERE project_id = ${job.projectId}::uuid AND id = ${job.id}::uuid`;
    await client.$executeRaw`
      DELETE FROM checkpoint_pins WHERE project_id = ${job.projectId}::uuid AND holder = ${pinHolder(job.id)}`;
    await this.wakeWorkers(job.id);
  }

  /** Requeues the job for another attempt. */
  async requeue(job: LockedJob, failures: number, delaySeconds: number): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE training_jobs SET status = 'queued', phase = NULL, lease_owner = NULL, lease_expires_at = NULL,
        failures = ${failures}, available_at = now() + ${seconds(delaySeconds)}, queued_at = now(),
        queue_deadline_at = now() + ${seconds(this.times.queueDeadlineSeconds)}
      WHERE project_id = ${job.projectId}::uuid AND id = ${job.id}::uuid`;
    await this.wakeWorkers(job.id);
    await this.notifyReaders(job);
  }

  /** Requeues the job until its engine can take it. */
  async postpone(job: LockedJob, delaySeconds: number): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE training_jobs SET status = 'queued', phase = NULL, lease_owner = NULL, lease_expires_at = NULL,
        available_at = now() + ${seconds(delaySeconds)}, queued_at = now(),
        run_deadline_at = CASE WHEN steps_done = 0 THEN NULL ELSE run_deadline_at END
      WHERE project_id = ${job.projectId}::uuid AND id = ${job.id}::uuid`;
    await this.notifyReaders(job);
  }

  /** A transient failure: queues another attempt, or ends the job at the last allowed failure. */
  async retry(job: LockedJob, error: JobError): Promise<'queued' | 'failed'> {
    const failures = job.failures + 1;
    if (failures >= this.times.maxFailures) {
      await this.end(job, 'failed', error);
      await this.database.client.$executeRaw`
        UPDATE training_jobs SET failures = ${failures}
        WHERE project_id = ${job.projectId}::uuid AND id = ${job.id}::uuid`;
      return 'failed';
    }
    await this.requeue(job, failures, Math.min(MAX_DELAY_SECONDS, this.times.retryDelaySeconds * 4 ** (failures - 1)));
    return 'queued';
  }

  /**
   * Numbers and stores the next event. `gradientIndex` counts `gradient_step`s from 1. The first event of a job with
   * warnings carries them.
   */
  async appendEvent(job: LockedJob, type: JobEventType, data: JobEventData, gradientIndex?: number): Promise<void> {
    const { client } = this.database;
    await client.$executeRaw`
      WITH numbered AS (
        UPDATE training_jobs SET next_event_seq = next_event_seq + 1
        WHERE project_id = ${job.projectId}::uuid AND id = ${job.id}::uuid
        RETURNING next_event_seq - 1 AS seq, warnings)
      INSERT INTO training_job_events (project_id, id, job_id, seq, type, gradient_index, data, created_at)
      SELECT ${job.projectId}::uuid, ${newId()}::uuid, ${job.id}::uuid, seq, ${type}, ${gradientIndex ?? null}::int,
        ${JSON.stringify(data)}::jsonb || CASE WHEN seq > 0 OR warnings = '[]' THEN '{}'
          ELSE jsonb_build_object('warnings', warnings) END, clock_timestamp()
      FROM numbered`;
    await this.notifyReaders(job);
  }

  async wakeWorkers(jobId: string): Promise<void> {
    await this.database.notify(JOBS_CHANNEL, JSON.stringify({ job_id: jobId }));
  }

  async notifyReaders(job: { readonly id: string; readonly modelId: string }): Promise<void> {
    await this.database.notify(JOB_EVENTS_CHANNEL, JSON.stringify({ job_id: job.id, model_id: job.modelId }));
  }

  async notifyGateways(modelId: string, step: number): Promise<void> {
    await this.database.notify(
      CHECKPOINTS_CHANNEL,
      JSON.stringify({ model_id: modelId, step } satisfies CheckpointNotification),
    );
  }
}
