import { Database, Prisma } from '@hone/database';

import { toJobRecord } from './job.mapper.js';
import { ENDINGS } from './job-error.js';
import type { JobData, JobKind, JobWarning, RolloutSettings, StoredInput, TrainingJobRecord } from './job-record.js';
import { OPEN_STATUSES } from './job-statuses.sql.js';
import type { JobTimes } from './job-times.js';
import { JobTransitions, LOCKED_JOB_COLUMNS, type LockedJob, seconds } from './job-transitions.repository.js';

export interface JobDraft {
  /** Id of the job. The caller chooses it, so that the input can be stored under `jobs/<id>/` first. */
  readonly id: string;
  readonly projectId: string;
  readonly modelId: string;
  readonly kind: JobKind;
  /** The settings in effect, defaults filled in. */
  readonly config: object;
  readonly extraConfig?: object | null;
  readonly trainingDataUrl?: string | null;
  /** Of an artifact of any project; it cannot be deleted by itself until the job ends. */
  readonly dataVersionId?: string | null;
  /** The same two of the validation data. Absent: it has none, or the configuration has its URL. */
  readonly validation?: { readonly versionId: string | null; readonly input: StoredInput | null };
  /** How it samples its own rollouts, and in the name of which key. Absent or null: they were sent. */
  readonly rollouts?: RolloutSettings | null;
  readonly keyId?: string | null;
  /** Step that the job starts from: a live checkpoint has it, or it is 0. Absent or null: the latest. */
  readonly parentStep?: number | null;
  /** Null: the worker fetches what `trainingDataUrl` names. */
  readonly input: StoredInput | null;
  readonly data: JobData;
  /** Absent: none. */
  readonly warnings?: readonly JobWarning[];
  readonly createdBy: string;
}

export interface OpenJobLimits {
  readonly perModel: number;
  /** Exact but for requests under way at the same moment for other models of the project. */
  readonly perProject: number;
}

export type CreateJobResult =
  | { readonly outcome: 'created'; readonly job: TrainingJobRecord }
  /** The model is not there or deleted. */
  | { readonly outcome: 'no_model' }
  /** No live checkpoint has the step that the job is to start from. */
  | { readonly outcome: 'no_parent' }
  /** The version of the artifact is deleted. */
  | { readonly outcome: 'no_data'; readonly of: 'training' | 'validation' }
  | { readonly outcome: 'queue_full'; readonly of: 'model' | 'project' };

export type CancelJobResult =
  /** `job` is cancelled or cancelling, now or since before. */
  | { readonly outcome: 'cancelled'; readonly job: TrainingJobRecord }
  | { readonly outcome: 'already_finished'; readonly job: TrainingJobRecord }
  | { readonly outcome: 'no_job' };

/** Creates and cancels jobs. Joins the ambient transaction. Lock order: model, data, jobs. */
export class JobControl {
  private readonly transitions: JobTransitions;

  constructor(
    private readonly database: Database,
    private readonly times: JobTimes,
  ) {
    this.transitions = new JobTransitions(database, times);
  }

  /** Queues a job behind the open ones of its model. */
  async createJob(draft: JobDraft, limits: OpenJobLimits): Promise<CreateJobResult> {
    return this.database.transaction(async () => {
      // This lock makes the order of ordinals the order of the commits.
      const models = await this.database.client.$queryRaw<unknown[]>`
        SELECT 1 FROM trainable_models WHERE project_id = ${draft.projectId}::uuid AND id = ${draft.modelId}::uuid
          AND deleted_at IS NULL FOR UPDATE`;
      if (models.length === 0) return { outcome: 'no_model' };
      if (!(await this.hasParent(draft))) return { outcome: 'no_parent' };
      if (!(await this.lockData(draft.dataVersionId ?? null))) return { outcome: 'no_data', of: 'training' };
      if (!(await this.lockData(draft.validation?.versionId ?? null))) return { outcome: 'no_data', of: 'validation' };
      const open = await this.countOpenJobs(draft.projectId, draft.modelId);
      if (open.ofModel >= limits.perModel) return { outcome: 'queue_full', of: 'model' };
      if (open.ofProject >= limits.perProject) return { outcome: 'queue_full', of: 'project' };
      await this.insert(draft);
      await this.transitions.wakeWorkers(draft.id);
      return { outcome: 'created', job: await this.read(draft.id) };
    });
  }

  /** Open jobs of a project, and of one of its models. */
  async countOpenJobs(projectId: string, modelId: string): Promise<{ ofModel: number; ofProject: number }> {
    const rows = await this.database.client.$queryRaw<{ ofModel: number; ofProject: number }[]>`
      SELECT count(*)::int AS "ofProject", (count(*) FILTER (WHERE model_id = ${modelId}::uuid))::int AS "ofModel"
      FROM training_jobs
      WHERE project_id = ${projectId}::uuid AND status IN ${OPEN_STATUSES}`;
    return rows[0] as { ofModel: number; ofProject: number };
  }

  /** Ends a queued job at once; asks the worker of an active one to stop. */
  async cancelJob(jobId: string, userId: string): Promise<CancelJobResult> {
    return this.database.transaction(async () => {
      const [job] = await this.lock(Prisma.sql`id = ${jobId}::uuid`);
      if (!job) return { outcome: 'no_job' };
      if (job.status === 'succeeded' || job.status === 'failed') {
        return { outcome: 'already_finished', job: await this.read(jobId) };
      }
      if (job.status !== 'cancelled' && job.status !== 'cancelling') await this.askToStop(job, userId);
      return { outcome: 'cancelled', job: await this.read(jobId) };
    });
  }

  /**
   * Ends all open jobs of a model that is being deleted; their workers lose their leases. The caller's transaction
   * holds the lock of the model's row. Returns the ids.
   */
  async cancelModelJobs(projectId: string, modelId: string): Promise<string[]> {
    return this.database.transaction(async () => {
      const jobs = await this.lock(Prisma.sql`
        project_id = ${projectId}::uuid AND model_id = ${modelId}::uuid
        AND status IN ${OPEN_STATUSES} ORDER BY ordinal`);
      for (const job of jobs) await this.transitions.end(job, 'cancelled', ENDINGS.modelDeleted);
      return jobs.map(({ id }) => id);
    });
  }

  private async askToStop(job: LockedJob, userId: string): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE training_jobs SET cancel_requested_at = now(), cancel_requested_by = ${userId}::uuid,
        status = CASE WHEN status = 'queued' THEN status ELSE 'cancelling' END
      WHERE project_id = ${job.projectId}::uuid AND id = ${job.id}::uuid`;
    if (job.status === 'queued') {
      await this.transitions.end(job, 'cancelled', ENDINGS.cancelled);
      return;
    }
    await this.transitions.wakeWorkers(job.id);
    await this.transitions.notifyReaders(job);
  }

  private async hasParent({ projectId, modelId, parentStep = null }: JobDraft): Promise<boolean> {
    if (parentStep === null || parentStep === 0) return true;
    const checkpoints = await this.database.client.$queryRaw<unknown[]>`
      SELECT 1 FROM checkpoints WHERE project_id = ${projectId}::uuid AND model_id = ${modelId}::uuid
        AND step = ${parentStep} AND deleted_at IS NULL`;
    return checkpoints.length > 0;
  }

  /** Locks the version's row: its deletion waits until the job is committed. False: it is deleted already. */
  private async lockData(versionId: string | null): Promise<boolean> {
    if (versionId === null) return true;
    const versions = await this.database.client.$queryRaw<unknown[]>`
      SELECT 1 FROM artifact_versions WHERE id = ${versionId}::uuid AND deleted_at IS NULL FOR SHARE`;
    return versions.length > 0;
  }

  private async insert(draft: JobDraft): Promise<void> {
    const { extraConfig = null, input, validation, rollouts = null, keyId = null } = draft;
    await this.database.client.$executeRaw`
      INSERT INTO training_jobs (project_id, id, model_id, kind, status, config, extra_config, training_data_url,
        data_version_id, input_uri, input_bytes, input_sha256, validation_version_id, validation_uri,
        validation_bytes, validation_sha256, queue_deadline_at, data, warnings, created_by,
        rollouts, key_id)
      VALUES (${draft.projectId}::uuid, ${draft.id}::uuid, ${draft.modelId}::uuid, ${draft.kind}, 'queued',
        ${JSON.stringify(draft.config)}::jsonb, ${extraConfig && JSON.stringify(extraConfig)}::jsonb,
        ${draft.trainingDataUrl ?? null}, ${draft.dataVersionId ?? null}::uuid, ${input?.uri ?? null},
        ${input?.bytes ?? null}::bigint, ${input?.sha256 ?? null}, ${validation?.versionId ?? null}::uuid,
        ${validation?.input?.uri ?? null}, ${validation?.input?.bytes ?? null}::bigint,
        ${validation?.input?.sha256 ?? null},
        now() + ${seconds(this.times.queueDeadlineSeconds)}, ${JSON.stringify(draft.data)}::jsonb,
        ${JSON.stringify(draft.warnings ?? [])}::jsonb,
        ${draft.createdBy}::uuid, ${rollouts && JSON.stringify(rollouts)}::jsonb, ${keyId}::uuid)`;
  }

  private lock(condition: Prisma.Sql): Promise<LockedJob[]> {
    return this.database.client.$queryRaw`
      SELECT ${LOCKED_JOB_COLUMNS} FROM training_jobs WHERE ${condition} FOR UPDATE`;
  }

  private async read(id: string): Promise<TrainingJobRecord> {
    return toJobRecord(await this.database.client.trainingJob.findUniqueOrThrow({ where: { id } }));
  }
}
