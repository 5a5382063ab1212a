import type { ArtifactStore } from '@hone/artifacts';
import type { RunResult } from '@hone/engine';
import { JobCheckpoints, JobLease, type StartingPoint } from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { ARTIFACT_STORE } from '../config/trainer.tokens.js';
import { whenDatabaseAnswers } from '../database/when-database-answers.js';
import { JobPlanner, type PlannedJob, type RoundInput } from '../planning/job-planner.js';
import { TrainerLog } from '../telemetry/trainer-log.js';
import type { AttemptWorkspace } from '../workspace/attempt-workspace.js';
import type { Attempt } from './attempt.js';
import { checkpointMetrics, VALIDATION_METRICS } from './checkpoint-metrics.js';
import { CheckpointWriter, type StoredCheckpoint } from './checkpoint-writer.js';
import type { JobSink } from './job-sink.js';
import { partOf, resumeOf } from './starting-parts.js';
import { toTrainingSpec } from './training-spec.mapper.js';

/** A checkpoint as its row is to be, and the means of its job. */
export interface MeasuredCheckpoint extends StoredCheckpoint {
  /** Name of the training server that made it; null: the embedded engine did. */
  readonly engine: string | null;
  readonly metrics: Record<string, number>;
  readonly jobMetrics: Record<string, number>;
}

/** Plans data, trains on it and commits what came of it: a whole job, or one round of it. */
@Injectable()
export class PlannedTraining {
  constructor(
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    private readonly jobs: JobLease,
    private readonly checkpoints: JobCheckpoints,
    private readonly planner: JobPlanner,
    private readonly writer: CheckpointWriter,
    private readonly log: TrainerLog,
  ) {}

  /** Starts what the next job needs before it comes. */
  prepare(): void {
    this.planner.prepare();
  }

  /** @param round absent: the job has one plan for all of its data */
  async plan(
    attempt: Attempt,
    start: StartingPoint,
    workspace: AttemptWorkspace,
    round?: RoundInput,
  ): Promise<PlannedJob> {
    const { baseModel, engine, keeper, drain, lease } = attempt;
    const signal = AbortSignal.any([keeper.signal, drain]);
    const watch = { signal, progressed: () => keeper.progressed() };
    const base = {
      baseDirectory: await engine.findBase(baseModel, signal),
      maxParams: engine.maxParams,
      maxContext: engine.training.capabilities().maxContext,
    };
    const planned = await this.planner.plan(attempt, start, base, workspace, watch, round);
    await whenDatabaseAnswers(() => this.jobs.storePlan(lease, planned.draft), keeper.signal);
    keeper.phase = 'loading';
    return planned;
  }

  /** Null: drained. */
  async train(
    attempt: Attempt,
    start: StartingPoint,
    planned: PlannedJob,
    workspace: AttemptWorkspace,
    sink: JobSink,
  ): Promise<StoredCheckpoint | null> {
    if (planned.draft.numSequences === 0 && start.parent) return this.writer.share(start.parent);
    const result = await this.run(attempt, start, planned, workspace, sink);
    if (result.status === 'drained') return null;
    attempt.keeper.phase = 'saving';
    attempt.keeper.signal.throwIfAborted();
    return this.writer.write(attempt.lease, result.checkpoint, workspace);
  }

  /** Ends the job with its last checkpoint. */
  async commit(attempt: Attempt, planned: PlannedJob, checkpoint: StoredCheckpoint, sink: JobSink): Promise<void> {
    const { job, lease, keeper } = attempt;
    const made = await this.measure(attempt, planned, checkpoint, sink, job.roundBase + planned.draft.numSequences);
    keeper.ending();
    const { step } = await whenDatabaseAnswers(() => this.checkpoints.commit(lease, made), keeper.signal);
    this.log.info({ job_id: job.id, model_id: job.modelId, attempt: job.attempt, step }, 'a job succeeded');
  }

  /** @param gradientSteps of the job so far */
  async measure(
    { lease, settings, engine, keeper, job }: Attempt,
    { draft }: PlannedJob,
    checkpoint: StoredCheckpoint,
    { tokensProcessed: trainerTokens }: JobSink,
    gradientSteps: number,
  ): Promise<MeasuredCheckpoint> {
    const reading = <T>(work: () => Promise<T>) => whenDatabaseAnswers(work, keeper.signal);
    const last = await reading(() => this.jobs.findLastValues(lease, VALIDATION_METRICS));
    const jobMetrics = { ...(await reading(() => this.jobs.findStepMeans(lease))), ...last };
    const means =
      job.roundBase === 0 ? jobMetrics : await reading(() => this.jobs.findStepMeans(lease, null, job.roundBase));
    const validationLoss = last['best_validation_loss'] ?? last['validation_loss'];
    const metrics = checkpointMetrics(settings, draft, { means, validationLoss, trainerTokens, gradientSteps });
    return { ...checkpoint, engine: engine.remoteName, metrics, jobMetrics };
  }

  private async run(
    attempt: Attempt,
    start: StartingPoint,
    { draft }: PlannedJob,
    workspace: AttemptWorkspace,
    sink: JobSink,
  ): Promise<RunResult> {
    const spec = toTrainingSpec(attempt, draft, {
      parent: await partOf(this.store, start.parent),
      reference: await partOf(this.store, start.reference),
      planPath: await this.store.localPath(draft.uri),
      resume: await resumeOf(this.store, attempt.job),
      outputDirectory: workspace.directory,
    });
    return attempt.engine.training.run(spec, { cancel: attempt.keeper.signal, drain: attempt.drain }, sink);
  }
}
