import { Database, Prisma } from '@hone/database';

import { type EngineChoice, isChosen } from './engine-choice.sql.js';
import { toJobRecord } from './job.mapper.js';
import { ENDINGS, type JobError } from './job-error.js';
import type { GradientStepData } from './job-events.js';
import type { JobPhase, JobStatus, JobWarning } from './job-record.js';
import { statusesOf } from './job-statuses.js';
import { ACTIVE_STATUSES, OPEN_STATUSES } from './job-statuses.sql.js';
import type { JobTimes } from './job-times.js';
import { JobTransitions, LOCKED_JOB_COLUMNS, type LockedJob, seconds } from './job-transitions.repository.js';
import { type Lease, LeaseLostError } from './lease.js';
import type { ClaimedJob, HeartbeatAnswer, PlanDraft, ResumePoint } from './lease-drafts.js';

/**
 * The writes of a worker to a job that it holds. Every write names attempt and owner, and throws {@link LeaseLostError}
 * if the job's row has other ones. Times are the database's.
 */
export class JobLease {
  private readonly transitions: JobTransitions;

  constructor(
    private readonly database: Database,
    private readonly times: JobTimes,
  ) {
    this.transitions = new JobTransitions(database, times);
  }

  /**
   * Takes the oldest job that may run: no older job of its model is open. The project with the fewest active jobs goes
   * first. Null: there is none.
   *
   * @param owner id of the worker
   * @param choice which jobs it may take; absent: any
   */
  async claim(owner: string, choice?: EngineChoice): Promise<ClaimedJob | null> {
    return this.database.transaction(async () => {
      // Two workers never choose jobs of one model: the second job waits for the first, claimed or not, to end.
      const [row] = await this.database.client.$queryRaw<{ id: string; modelId: string }[]>`
        WITH active AS (
          SELECT project_id, count(*) AS jobs FROM training_jobs
          WHERE status IN ${ACTIVE_STATUSES} GROUP BY project_id),
        candidate AS (
          SELECT j.project_id, j.id FROM training_jobs j LEFT JOIN active USING (project_id)
            JOIN trainable_models m ON m.project_id = j.project_id AND m.id = j.model_id
          WHERE j.status = 'queued' AND j.available_at <= now() AND j.queue_deadline_at > now()
            AND ${isChosen(choice)}
            AND NOT EXISTS (
              SELECT FROM training_jobs older WHERE older.project_id = j.project_id AND older.model_id = j.model_id
                AND older.ordinal < j.ordinal AND older.status IN ${OPEN_STATUSES})
          ORDER BY coalesce(active.jobs, 0), j.ordinal LIMIT 1 FOR UPDATE OF j SKIP LOCKED)
        UPDATE training_jobs t SET status = 'preparing', phase = 'planning', attempt = t.attempt + 1,
          lease_owner = ${owner}, lease_expires_at = now() + ${seconds(this.times.leaseSeconds)},
          last_step_at = now(), started_at = coalesce(t.started_at, clock_timestamp()),
          run_deadline_at = coalesce(t.run_deadline_at, now() + ${seconds(this.times.runDeadlineSeconds)})
        FROM candidate c WHERE t.project_id = c.project_id AND t.id = c.id
        RETURNING t.id, t.model_id AS "modelId"`;
      if (!row) return null;
      await this.transitions.notifyReaders(row);
      return this.read(row.id, owner);
    });
  }

  /**
   * Extends the lease.
   *
   * @param hasProgress something got done since the last one: what takes long is no stall then
   */
  async heartbeat(lease: Lease, phase: JobPhase, hasProgress = false): Promise<HeartbeatAnswer> {
    const [row] = await this.database.client.$queryRaw<{ status: JobStatus; deadlineAt: Date }[]>`
      UPDATE training_jobs SET lease_expires_at = now() + ${seconds(this.times.leaseSeconds)}, phase = ${phase},
        last_step_at = CASE WHEN ${hasProgress} THEN now() ELSE last_step_at END
      WHERE project_id = ${lease.projectId}::uuid AND id = ${lease.jobId}::uuid AND attempt = ${lease.attempt}
        AND lease_owner = ${lease.owner} AND status IN ${ACTIVE_STATUSES}
      RETURNING status, run_deadline_at AS "deadlineAt"`;
    if (!row) throw new LeaseLostError(lease);
    return { cancel: row.status === 'cancelling', deadlineAt: row.deadlineAt };
  }

  /**
   * Starts a planned job, or a planned round of one. The plan of the first attempt is final.
   *
   * @throws Error a later attempt brings another plan
   */
  async storePlan(lease: Lease, plan: PlanDraft): Promise<void> {
    const from: readonly JobStatus[] = plan.after === undefined ? ['preparing'] : ['preparing', 'running'];
    await this.held(lease, from, async (job) => {
      if (job.planSha256 !== null && job.planSha256 !== plan.sha256) {
        throw new Error(`Job ${job.id} was planned with another result before.`);
      }
      await this.database.client.$executeRaw`
        UPDATE training_jobs SET status = 'running', phase = 'loading', running_at = coalesce(running_at, now()),
          last_step_at = now(), plan_uri = coalesce(plan_uri, ${plan.uri}), plan_sha256 = ${plan.sha256},
          num_sequences = ${(plan.after ?? 0) + plan.numSequences}::int,
          learning_rate_scale = coalesce(learning_rate_scale, ${plan.learningRateScale}::float8),
          tokens = tokens || ${JSON.stringify(plan.tokens)}::jsonb, data = data || ${JSON.stringify(plan.data)}::jsonb,
          warnings = warnings || ${newWarnings(job.planSha256 === null ? (plan.warnings ?? []) : [])}
        WHERE project_id = ${job.projectId}::uuid AND id = ${job.id}::uuid`;
      const isFirst = job.planSha256 === null && job.roundsDone === 0;
      if (isFirst) await this.transitions.appendEvent(job, 'training_started', plan.started);
      else await this.transitions.notifyReaders(job);
    });
  }

  /**
   * Gradient step `k`, counted from 1, is done. A step that an earlier attempt recorded gets no second event.
   *
   * @param tokensProcessed of all rows up to this one
   * @param warnings that the job has from now on, one of each code
   */
  async recordStep(
    lease: Lease,
    k: number,
    metrics: GradientStepData,
    tokensProcessed: number,
    warnings: readonly JobWarning[] = [],
  ): Promise<void> {
    await this.held(lease, ['running'], async (job) => {
      if (k > job.stepsDone + 1) throw new Error(`Step ${k} of job ${job.id} came after step ${job.stepsDone}.`);
      const isNew = k > job.stepsDone;
      await this.database.client.$executeRaw`
        UPDATE training_jobs SET phase = 'training', steps_done = greatest(steps_done, ${k}), last_step_at = now(),
          lease_expires_at = now() + ${seconds(this.times.leaseSeconds)},
          tokens = CASE WHEN ${isNew} THEN tokens || ${JSON.stringify({ processed: tokensProcessed })}::jsonb ELSE tokens END,
          warnings = warnings || ${newWarnings(warnings)}
        WHERE project_id = ${job.projectId}::uuid AND id = ${job.id}::uuid`;
      if (isNew) await this.transitions.appendEvent(job, 'gradient_step', metrics, k);
    });
  }

  /** Sets the resume point of the next attempt. Returns the uri of the previous one, which may be deleted. */
  async recordResumePoint(lease: Lease, point: ResumePoint): Promise<string | null> {
    return this.held(lease, ['running'], async (job) => {
      await this.database.client.$executeRaw`
        UPDATE training_jobs SET resume_uri = ${point.uri}, resume_sha256 = ${point.sha256}, resume_step = ${point.step}
        WHERE project_id = ${job.projectId}::uuid AND id = ${job.id}::uuid`;
      return job.resumeUri;
    });
  }

  /** Ends the job: it will never succeed. */
  fail(lease: Lease, error: JobError): Promise<'failed' | 'cancelled'> {
    return this.ended(lease, async (job): Promise<'failed'> => {
      await this.transitions.end(job, 'failed', error);
      return 'failed';
    });
  }

  /** Records a failed attempt; another may succeed. */
  retry(lease: Lease, error: JobError): Promise<'queued' | 'failed' | 'cancelled'> {
    return this.ended(lease, (job) => this.transitions.retry(job, error));
  }

  /** Requeues the job because its worker drains. This does not count as a failure. */
  drain(lease: Lease): Promise<'queued' | 'cancelled'> {
    return this.ended(lease, async (job): Promise<'queued'> => {
      await this.transitions.requeue(job, job.failures, 0);
      return 'queued';
    });
  }

  /**
   * Requeues the job because its engine cannot take it now. This does not count as a failure. The queue deadline stays.
   * The run deadline starts anew with the next attempt, unless the job has taken steps.
   */
  postpone(lease: Lease, delaySeconds: number): Promise<'queued' | 'cancelled'> {
    return this.ended(lease, async (job): Promise<'queued'> => {
      await this.transitions.postpone(job, delaySeconds);
      return 'queued';
    });
  }

  /** Ends the job as cancelled: its worker has stopped. False: nobody has cancelled it, or the lease is lost. */
  async cancelSeen(lease: Lease): Promise<boolean> {
    return this.held(lease, ['cancelling'], async (job) => {
      await this.transitions.end(job, 'cancelled', ENDINGS.cancelled);
      return true;
    }).catch((error: unknown) => {
      if (error instanceof LeaseLostError) return false;
      throw error;
    });
  }

  /**
   * Name -> mean over the job's gradient steps that report it.
   *
   * @param upTo the last step that counts; null: of the job
   * @param after steps that do not count
   */
  async findStepMeans(lease: Lease, upTo: number | null = null, after = 0): Promise<Record<string, number>> {
    const rows = await this.database.client.$queryRaw<{ name: string; mean: number }[]>`
      SELECT metric.key AS name, avg(metric.value::float8 ORDER BY gradient_index) AS mean
      FROM training_job_events, jsonb_each_text(data) AS metric
      WHERE project_id = ${lease.projectId}::uuid AND job_id = ${lease.jobId}::uuid AND type = 'gradient_step'
        AND (${upTo}::int IS NULL OR gradient_index <= ${upTo}::int) AND gradient_index > ${after}
      GROUP BY metric.key ORDER BY metric.key`;
    return Object.fromEntries(rows.map(({ name, mean }) => [name, mean]));
  }

  /** Name -> value of the latest gradient step that reports it. @param upTo the last step that counts; null: of the job */
  async findLastValues(
    lease: Lease,
    names: readonly string[],
    upTo: number | null = null,
  ): Promise<Record<string, number>> {
    const rows = await this.database.client.$queryRaw<{ name: string; value: number }[]>`
      SELECT DISTINCT ON (metric.key) metric.key AS name, metric.value::float8 AS value
      FROM training_job_events, jsonb_each_text(data) AS metric
      WHERE project_id = ${lease.projectId}::uuid AND job_id = ${lease.jobId}::uuid AND type = 'gradient_step'
        AND (${upTo}::int IS NULL OR gradient_index <= ${upTo}::int) AND metric.key = ANY (${[...names]})
      ORDER BY metric.key, gradient_index DESC`;
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  }

  private ended<T>(lease: Lease, end: (job: LockedJob) => Promise<T>): Promise<T | 'cancelled'> {
    return this.held(lease, statusesOf('active'), async (job) => {
      if (job.status !== 'cancelling') return end(job);
      await this.transitions.end(job, 'cancelled', ENDINGS.cancelled);
      return 'cancelled';
    });
  }

  /** Runs `work` in a transaction that holds the job's row, if it is still this attempt's and in one of `statuses`. */
  private held<T>(lease: Lease, statuses: readonly JobStatus[], work: (job: LockedJob) => Promise<T>): Promise<T> {
    return this.database.transaction(async () => work(await lockHeldJob(this.database, lease, statuses)));
  }

  private async read(id: string, owner: string): Promise<ClaimedJob> {
    const job = toJobRecord(await this.database.client.trainingJob.findUniqueOrThrow({ where: { id } }));
    const { projectId, modelId, attempt } = job;
    const model = await this.database.client.trainableModel.findUniqueOrThrow({ where: { id: modelId } });
    return {
      lease: { jobId: id, projectId, modelId, attempt, owner },
      job,
      baseModel: model.baseModel,
      modelEngine: model.engine,
    };
  }
}

/** Those of codes that the job has no warning of, as a list. */
const newWarnings = (warnings: readonly JobWarning[]): Prisma.Sql => Prisma.sql`
  (SELECT coalesce(jsonb_agg(one), '[]') FROM jsonb_array_elements(${JSON.stringify(warnings)}::jsonb) AS one
   WHERE NOT warnings @> jsonb_build_array(jsonb_build_object('code', one ->> 'code')))`;

/** @throws LeaseLostError */
export async function lockHeldJob(
  { client }: Database,
  lease: Lease,
  statuses: readonly JobStatus[],
): Promise<LockedJob> {
  const [job] = await client.$queryRaw<LockedJob[]>`
    SELECT ${LOCKED_JOB_COLUMNS} FROM training_jobs
    WHERE project_id = ${lease.projectId}::uuid AND id = ${lease.jobId}::uuid AND attempt = ${lease.attempt}
      AND lease_owner = ${lease.owner} AND status = ANY (${[...statuses]}) FOR UPDATE`;
  if (!job) throw new LeaseLostError(lease);
  return job;
}
