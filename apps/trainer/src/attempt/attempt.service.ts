import type { ArtifactStore } from '@hone/artifacts';
import type { RunResult } from '@hone/engine';
import { ParentElsewhereError } from '@hone/tinker';
import { JobCheckpoints, JobLease, type ReferenceChoice, type StartingPoint } from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { ARTIFACT_STORE } from '../config/trainer.tokens.js';
import { JobPlanner, type PlannedJob } from '../planning/job-planner.js';
import type { JobSettings } from '../planning/resolved-job.js';
import { TrainerLog } from '../telemetry/trainer-log.js';
import { AttemptWorkspace } from '../workspace/attempt-workspace.js';
import type { Attempt } from './attempt.js';
import { checkpointMetrics, VALIDATION_METRICS } from './checkpoint-metrics.js';
import { CheckpointWriter, type StoredCheckpoint } from './checkpoint-writer.js';
import { type JobSink, JobSinks } from './job-sink.js';
import { partOf, resumeOf } from './starting-parts.js';
import { toTrainingSpec } from './training-spec.mapper.js';
import { whenDatabaseAnswers } from './when-database-answers.js';

/** Carries attempts out: plans, trains and commits. */
@Injectable()
export class AttemptService {
  constructor(
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    private readonly jobs: JobLease,
    private readonly checkpoints: JobCheckpoints,
    private readonly planner: JobPlanner,
    private readonly writer: CheckpointWriter,
    private readonly sinks: JobSinks,
    private readonly log: TrainerLog,
  ) {}

  /**
   * `drained`: another worker continues the job.
   *
   * @throws whatever went wrong; the job's row is as it was then
   */
  async carryOut(attempt: Attempt): Promise<'succeeded' | 'drained'> {
    const workspace = await AttemptWorkspace.open(this.store, attempt.lease);
    try {
      assertEngine(attempt);
      prepareEngine(attempt);
      const start = await this.fixStart(attempt);
      const planned = await this.plan(attempt, start, workspace);
      const sink = this.sinks.open(attempt, workspace, planned);
      const checkpoint = await this.train(attempt, start, planned, workspace, sink);
      if (checkpoint === null) return 'drained';
      await this.commit(attempt, planned, checkpoint, sink.tokensProcessed);
      // Reinforcement learning sends many short jobs: what the next one needs is started before it comes.
      this.planner.prepare();
      prepareEngine(attempt);
      return 'succeeded';
    } finally {
      await workspace.discard();
    }
  }

  private fixStart({ lease, settings, keeper }: Attempt): Promise<StartingPoint> {
    const { parent_step } = settings.config;
    return whenDatabaseAnswers(
      () => this.checkpoints.fixStart(lease, referenceOf(settings), parent_step),
      keeper.signal,
    );
  }

  private async plan(attempt: Attempt, start: StartingPoint, workspace: AttemptWorkspace): Promise<PlannedJob> {
    const { baseModel, engine, keeper, drain, lease } = attempt;
    const signal = AbortSignal.any([keeper.signal, drain]);
    const watch = { signal, progressed: () => keeper.progressed() };
    const base = {
      baseDirectory: await engine.findBase(baseModel, signal),
      maxParams: engine.maxParams,
      maxContext: engine.training.capabilities().maxContext,
    };
    const planned = await this.planner.plan(attempt, start, base, workspace, watch);
    await whenDatabaseAnswers(() => this.jobs.storePlan(lease, planned.draft), keeper.signal);
    keeper.phase = 'loading';
    return planned;
  }

  /** Null: drained. */
  private async train(
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

  private async commit(
    { job, lease, settings, engine, keeper }: Attempt,
    { draft }: PlannedJob,
    checkpoint: StoredCheckpoint,
    trainerTokens: number,
  ): Promise<void> {
    const writing = <T>(work: () => Promise<T>) => whenDatabaseAnswers(work, keeper.signal);
    const last = await writing(() => this.jobs.findLastValues(lease, VALIDATION_METRICS));
    const means = { ...(await writing(() => this.jobs.findStepMeans(lease))), ...last };
    const validationLoss = last['best_validation_loss'] ?? last['validation_loss'];
    const gradientSteps = draft.numSequences;
    const metrics = checkpointMetrics(settings, draft, { means, validationLoss, trainerTokens, gradientSteps });
    keeper.ending();
    const made = { ...checkpoint, engine: engine.remoteName, metrics, jobMetrics: means };
    const { step } = await writing(() => this.checkpoints.commit(lease, made));
    this.log.info({ job_id: job.id, model_id: job.modelId, attempt: job.attempt, step }, 'a job succeeded');
  }
}

/** @throws ParentElsewhereError an engine that is not configured any more has the model's state */
function assertEngine({ modelEngine, engine: { name, remoteName } }: Attempt): void {
  if (modelEngine !== null && modelEngine !== remoteName) throw new ParentElsewhereError(name, modelEngine);
}

/** Starts the engine's process early, so that it loads while this process downloads and plans. */
function prepareEngine({ engine, baseModel }: Attempt): void {
  // A broken base model fails the run itself, with an error that the job shows.
  engine.training.prepare(baseModel).catch(() => undefined);
}

/** Null: no penalty, or one that measures from the base. */
function referenceOf({ kind, config }: JobSettings): ReferenceChoice | null {
  if (kind !== 'rl' || config.kl_penalty_coef === 0) return null;
  const { kl_penalty_reference_step, kl_penalty_step_lag } = config;
  if (kl_penalty_reference_step !== null) return { step: kl_penalty_reference_step };
  return kl_penalty_step_lag === null ? null : { lag: kl_penalty_step_lag };
}
