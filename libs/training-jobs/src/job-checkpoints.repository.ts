import { Database, Prisma } from '@hone/database';

import { lockHeldJob } from './job-lease.repository.js';
import type { JobTimes } from './job-times.js';
import { JobTransitions, type LockedJob, pinHolder } from './job-transitions.repository.js';
import { type Lease, LeaseLostError, ParentStepNotFoundError, ReferenceStepNotFoundError } from './lease.js';
import type {
  CheckpointDraft,
  IntermediateDraft,
  PinnedCheckpoint,
  ReferenceChoice,
  StartingPoint,
} from './lease-drafts.js';

interface CheckpointRow {
  readonly id: string;
  readonly step: number;
  readonly uri: string;
  readonly bytes: bigint;
  readonly manifestSha256: string;
}

const COLUMNS = Prisma.sql`id, step, uri, bytes, manifest_sha256 AS "manifestSha256"`;

/** The checkpoints that a job starts from and ends with. Lock order: the model's row, then the job's. */
export class JobCheckpoints {
  private readonly transitions: JobTransitions;

  constructor(
    private readonly database: Database,
    times: JobTimes,
  ) {
    this.transitions = new JobTransitions(database, times);
  }

  /**
   * Where the job starts: by default the model's latest checkpoint when it is asked for the first time, the same ever after. Both
   * checkpoints keep their bytes until the job ends, deleted or not.
   *
   * @param choice null: no penalty, or one that measures from the base
   * @param parentStep where to start instead; 0: the base; null: the latest checkpoint
   * @throws ParentStepNotFoundError, ReferenceStepNotFoundError
   * @throws LeaseLostError
   */
  async fixStart(
    lease: Lease,
    choice: ReferenceChoice | null,
    parentStep: number | null = null,
  ): Promise<StartingPoint> {
    return this.database.transaction(async () => {
      await this.lockModel(lease);
      const job = await lockHeldJob(this.database, lease, ['preparing']);
      if (job.parentStep !== null) return this.readStart(job);
      const parent = parentStep === 0 ? null : await this.findLive(job, parentStep);
      if (parentStep && !parent) throw new ParentStepNotFoundError(parentStep);
      const reference = choice && (await this.findReference(job, choice, parent?.step ?? 0));
      for (const pinned of [parent, reference]) if (pinned) await this.pin(job, pinned.id);
      await this.database.client.$executeRaw`
        UPDATE training_jobs SET parent_id = ${parent?.id ?? null}::uuid, parent_step = ${parent?.step ?? 0},
          reference_id = ${reference?.id ?? null}::uuid
        WHERE project_id = ${job.projectId}::uuid AND id = ${job.id}::uuid`;
      return { parent, reference };
    });
  }

  /**
   * Commits a checkpoint of a running job: the one after gradient step `k` becomes the model's next step. Null: the job
   * has made it before, in this attempt or an earlier one.
   *
   * @throws LeaseLostError also when the job was cancelled before
   * @throws Error the step was not recorded, or is the last one
   */
  async addIntermediate(lease: Lease, k: number, draft: IntermediateDraft): Promise<{ readonly step: number } | null> {
    return this.database.transaction(async () => {
      const step = (await this.lockModel(lease)) + 1;
      const job = await lockHeldJob(this.database, lease, ['running']);
      if (k > job.stepsDone || k >= (job.numSequences ?? 0)) {
        throw new Error(`Job ${job.id} has no checkpoint at step ${k} of ${job.numSequences}.`);
      }
      if (await this.hasCheckpoint(lease, k)) return null;
      await this.insert(job, step, k, draft);
      await this.transitions.notifyGateways(job.modelId, step);
      return { step };
    });
  }

  /**
   * Ends a round that is not the last: its checkpoint becomes the model's next step, from which the next round samples. Again
   * it does nothing.
   *
   * @param round rounds that were done before it
   * @param draft null: the round taught nothing, and its parent stays the current checkpoint
   * @throws LeaseLostError also when the job was cancelled before
   */
  async commitRound(lease: Lease, round: number, draft: IntermediateDraft | null): Promise<void> {
    await this.database.transaction(async () => {
      const step = (await this.lockModel(lease)) + 1;
      const job = await this.lockDone(lease);
      if (job.roundsDone !== round) return;
      if (draft) {
        await this.insert(job, step, job.stepsDone, draft);
        await this.pin(job, draft.id);
        await this.transitions.notifyGateways(job.modelId, step);
      }
      await this.database.client.$executeRaw`
        UPDATE training_jobs SET rounds_done = rounds_done + 1, round_base = steps_done, plan_uri = NULL,
          plan_sha256 = NULL, learning_rate_scale = NULL, resume_uri = NULL, resume_sha256 = NULL, resume_step = NULL,
          last_step_at = now()
        WHERE project_id = ${job.projectId}::uuid AND id = ${job.id}::uuid`;
      await this.transitions.notifyReaders(job);
    });
  }

  /** Ends a job with success whose last round taught nothing: its latest checkpoint is what it made. @throws LeaseLostError */
  async endWithLatest(lease: Lease, jobMetrics: Readonly<Record<string, number>>): Promise<{ readonly step: number }> {
    return this.database.transaction(async () => {
      await this.lockModel(lease);
      const job = await this.lockDone(lease);
      const made = await this.findMade(job, job.stepsDone);
      if (!made) throw new Error(`Job ${job.id} has no checkpoint at step ${job.stepsDone}.`);
      await this.succeed(job, made, jobMetrics);
      return { step: made.step };
    });
  }

  /** What the current round starts from; null: what the job started from, and no round has taught anything. */
  async findRoundParent(job: { projectId: string; id: string; roundBase: number }): Promise<PinnedCheckpoint | null> {
    return job.roundBase === 0 ? null : this.findMade(job, job.roundBase);
  }

  /** Whether the job has made a checkpoint after gradient step `k`, which may be deleted by now. */
  async hasCheckpoint({ projectId, jobId }: Lease, k: number): Promise<boolean> {
    return (await this.database.client.checkpoint.count({ where: { projectId, jobId, gradientStep: k } })) > 0;
  }

  /**
   * Ends a job with success: its checkpoint becomes the model's next step. The notifications are in the same
   * transaction.
   *
   * @throws LeaseLostError also when the job was cancelled before
   * @throws Error steps are missing
   */
  async commit(lease: Lease, draft: CheckpointDraft): Promise<{ readonly step: number }> {
    return this.database.transaction(async () => {
      const step = (await this.lockModel(lease)) + 1;
      const job = await this.lockDone(lease);
      await this.insert(job, step, job.stepsDone, draft);
      await this.succeed(job, { id: draft.id, step }, draft.jobMetrics);
      await this.transitions.notifyGateways(job.modelId, step);
      return { step };
    });
  }

  /** Step that the commit of this job will get, unless a checkpoint is imported before. */
  async findNextStep({ projectId, modelId }: Lease): Promise<number> {
    const [model] = await this.database.client.$queryRaw<{ lastStep: number }[]>`
      SELECT last_step AS "lastStep" FROM trainable_models
      WHERE project_id = ${projectId}::uuid AND id = ${modelId}::uuid`;
    return (model?.lastStep ?? 0) + 1;
  }

  /** Value of `{split}/{name}` at each step that something was logged for, ascending. */
  async findLoggedMeans(
    { projectId, modelId }: Lease,
    split: string,
    name: string,
  ): Promise<{ step: number; mean: number }[]> {
    return this.database.client.$queryRaw`
      SELECT step, (sum / count)::float8 AS mean FROM metric_sums
      WHERE project_id = ${projectId}::uuid AND model_id = ${modelId}::uuid AND split = ${split} AND name = ${name}
        AND count > 0
      ORDER BY step`;
  }

  /** Locks the model's row; returns the highest step ever given. A deleted model has no open job. */
  private async lockModel(lease: Lease): Promise<number> {
    const [model] = await this.database.client.$queryRaw<{ lastStep: number }[]>`
      SELECT last_step AS "lastStep" FROM trainable_models
      WHERE project_id = ${lease.projectId}::uuid AND id = ${lease.modelId}::uuid AND deleted_at IS NULL FOR UPDATE`;
    if (!model) throw new LeaseLostError(lease);
    return model.lastStep;
  }

  /** @throws Error steps are missing */
  private async lockDone(lease: Lease): Promise<LockedJob> {
    const job = await lockHeldJob(this.database, lease, ['running']);
    if (job.stepsDone !== job.numSequences) {
      throw new Error(`Job ${job.id} is at step ${job.stepsDone} of ${job.numSequences}.`);
    }
    return job;
  }

  private async succeed(
    job: LockedJob,
    { id, step }: { readonly id: string; readonly step: number },
    metrics: Readonly<Record<string, number>>,
  ): Promise<void> {
    await this.transitions.close(
      job,
      'succeeded',
      Prisma.sql`produced_id = ${id}::uuid, produced_step = ${step}, metrics = ${JSON.stringify(metrics)}::jsonb`,
    );
    const ended = { step, checkpoint_id: id, num_gradient_steps: job.stepsDone };
    await this.transitions.appendEvent(job, 'training_ended', ended);
  }

  /** The checkpoint that a job made after a gradient step, deleted or not. */
  private async findMade(
    { projectId, id }: { readonly projectId: string; readonly id: string },
    gradientStep: number,
  ): Promise<PinnedCheckpoint | null> {
    const [row] = await this.database.client.$queryRaw<CheckpointRow[]>`
      SELECT ${COLUMNS} FROM checkpoints
      WHERE project_id = ${projectId}::uuid AND job_id = ${id}::uuid AND gradient_step = ${gradientStep}`;
    return toPinned(row);
  }

  private async readStart(job: LockedJob): Promise<StartingPoint> {
    const { parentId, referenceId } = job;
    const rows = await this.database.client.$queryRaw<CheckpointRow[]>`
      SELECT ${COLUMNS} FROM checkpoints
      WHERE project_id = ${job.projectId}::uuid AND id IN (${parentId}::uuid, ${referenceId}::uuid)`;
    const find = (id: string | null) => toPinned(rows.find((row) => row.id === id));
    return { parent: find(parentId), reference: find(referenceId) };
  }

  private async findReference(job: LockedJob, choice: ReferenceChoice, parentStep: number) {
    const step = 'step' in choice ? choice.step : Math.max(0, parentStep - choice.lag);
    if (step === 0) return null;
    const found = await this.findLive(job, step);
    if (!found) throw new ReferenceStepNotFoundError(step);
    return found;
  }

  /** @param step null: the latest */
  private async findLive(job: LockedJob, step: number | null): Promise<PinnedCheckpoint | null> {
    const [row] = await this.database.client.$queryRaw<CheckpointRow[]>`
      SELECT ${COLUMNS} FROM checkpoints
      WHERE project_id = ${job.projectId}::uuid AND model_id = ${job.modelId}::uuid AND deleted_at IS NULL
        AND (${step}::int IS NULL OR step = ${step}::int)
      ORDER BY step DESC LIMIT 1`;
    return toPinned(row);
  }

  private async pin(job: LockedJob, checkpointId: string): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO checkpoint_pins (project_id, checkpoint_id, holder)
      VALUES (${job.projectId}::uuid, ${checkpointId}::uuid, ${pinHolder(job.id)}) ON CONFLICT DO NOTHING`;
  }

  private async insert(job: LockedJob, step: number, gradientStep: number, draft: IntermediateDraft): Promise<void> {
    const { client } = this.database;
    await client.$executeRaw`
      UPDATE trainable_models SET last_step = ${step}, engine = coalesce(engine, ${draft.engine ?? null})
      WHERE project_id = ${job.projectId}::uuid AND id = ${job.modelId}::uuid`;
    await client.$executeRaw`
      INSERT INTO checkpoints (project_id, id, model_id, step, job_id, parent_id, parent_step,
        gradient_step, kind, uri, bytes, manifest_sha256, metrics, engine)
      VALUES (${job.projectId}::uuid, ${draft.id}::uuid, ${job.modelId}::uuid, ${step}, ${job.id}::uuid,
        ${job.parentId}::uuid, ${job.parentStep ?? 0}, ${gradientStep}, ${job.kind}, ${draft.uri},
        ${draft.bytes}::bigint, ${draft.manifestSha256}, ${JSON.stringify(draft.metrics)}::jsonb,
        ${draft.lineage ? JSON.stringify(draft.lineage) : null}::jsonb)`;
  }
}

const toPinned = (row: CheckpointRow | undefined): PinnedCheckpoint | null =>
  row ? { ...row, bytes: Number(row.bytes) } : null;
