import { resolveRlConfig, resolveSftConfig, type RunResult } from '@hone/engine';
import { ParentElsewhereError } from '@hone/tinker';
import type { ClaimedJob, ReferenceChoice, StartingPoint } from '@hone/training-jobs';

import type { PlannedJob } from '../planning/job-planner.js';
import { AttemptWorkspace } from '../workspace/attempt-workspace.js';
import type { AttemptTools } from './attempt-tools.js';
import { checkpointMetrics, VALIDATION_METRICS } from './checkpoint-metrics.js';
import type { StoredCheckpoint } from './checkpoint-writer.js';
import { JobSink } from './job-sink.js';
import type { LeaseKeeper } from './lease-keeper.js';
import { partOf, resumeOf } from './starting-parts.js';
import { toTrainingSpec } from './training-spec.mapper.js';
import { whenDatabaseAnswers } from './when-database-answers.js';

/** One attempt at a job, from the claim to its checkpoint. */
export class JobAttempt {
  constructor(
    private readonly tools: AttemptTools,
    private readonly claimed: ClaimedJob,
    private readonly keeper: LeaseKeeper,
    /** Aborted: stop soon, with a resume point. */
    private readonly drain: AbortSignal,
  ) {}

  /**
   * Plans, trains and commits. `drained`: another worker continues the job.
   *
   * @throws whatever went wrong; the job's row is as it was then
   */
  async carryOut(): Promise<'succeeded' | 'drained'> {
    const workspace = await AttemptWorkspace.open(this.tools.store, this.claimed.lease);
    try {
      this.assertEngine();
      this.prepareEngine();
      const start = await this.writing(() => this.fixStart());
      const planned = await this.plan(start, workspace);
      const sink = new JobSink(this.tools, this.claimed, this.keeper, workspace, planned);
      const checkpoint = await this.train(start, planned, workspace, sink);
      if (checkpoint === null) return 'drained';
      await this.commit(planned, checkpoint, sink.tokensProcessed);
      // Reinforcement learning sends one short job after the other.
      this.tools.planner.prepare();
      this.prepareEngine();
      return 'succeeded';
    } finally {
      await workspace.discard();
    }
  }

  /** @throws ParentElsewhereError an engine that is not configured any more has the model's state */
  private assertEngine(): void {
    const { modelEngine } = this.claimed;
    const { name, remoteName } = this.tools.engine;
    if (modelEngine !== null && modelEngine !== remoteName) throw new ParentElsewhereError(name, modelEngine);
  }

  /** The engine's process starts while this one does other work. */
  private prepareEngine(): void {
    // What is wrong with the base model is an error of the run.
    this.tools.engine.training.prepare(this.claimed.baseModel).catch(() => undefined);
  }

  private fixStart(): Promise<StartingPoint> {
    const { job, lease } = this.claimed;
    const reference = job.kind === 'rl' ? referenceOf(job.config) : null;
    const { parent_step } = (job.kind === 'rl' ? resolveRlConfig : resolveSftConfig)(job.config);
    return this.tools.checkpoints.fixStart(lease, reference, parent_step);
  }

  private async plan(start: StartingPoint, workspace: AttemptWorkspace): Promise<PlannedJob> {
    const { engine, planner, jobs } = this.tools;
    const signal = AbortSignal.any([this.keeper.signal, this.drain]);
    const watch = { signal, progressed: () => this.keeper.progressed() };
    const base = {
      baseDirectory: await engine.findBase(this.claimed.baseModel, signal),
      maxParams: engine.maxParams,
      maxContext: engine.training.capabilities().maxContext,
    };
    const planned = await planner.plan(this.claimed, start, base, workspace, watch);
    await this.writing(() => jobs.storePlan(this.claimed.lease, planned.draft));
    this.keeper.phase = 'loading';
    return planned;
  }

  /** Null: drained. */
  private async train(
    start: StartingPoint,
    planned: PlannedJob,
    workspace: AttemptWorkspace,
    sink: JobSink,
  ): Promise<StoredCheckpoint | null> {
    const { writer } = this.tools;
    if (planned.draft.numSequences === 0 && start.parent) return writer.share(start.parent);
    const result = await this.run(start, planned, workspace, sink);
    if (result.status === 'drained') return null;
    this.keeper.phase = 'saving';
    this.keeper.signal.throwIfAborted();
    return writer.write(this.claimed.lease, result.checkpoint, workspace);
  }

  private async run(
    start: StartingPoint,
    planned: PlannedJob,
    workspace: AttemptWorkspace,
    sink: JobSink,
  ): Promise<RunResult> {
    const { engine, store } = this.tools;
    const spec = toTrainingSpec(this.claimed, planned.draft, {
      parent: await partOf(store, start.parent),
      reference: await partOf(store, start.reference),
      planPath: await store.localPath(planned.draft.uri),
      resume: await resumeOf(store, this.claimed.job),
      outputDirectory: workspace.directory,
    });
    return engine.training.run(spec, { cancel: this.keeper.signal, drain: this.drain }, sink);
  }

  private async commit({ draft }: PlannedJob, checkpoint: StoredCheckpoint, trainerTokens: number): Promise<void> {
    const { jobs, checkpoints, log, engine } = this.tools;
    const { job, lease } = this.claimed;
    const last = await this.writing(() => jobs.findLastValues(lease, VALIDATION_METRICS));
    const means = { ...(await this.writing(() => jobs.findStepMeans(lease))), ...last };
    const validationLoss = last['best_validation_loss'] ?? last['validation_loss'];
    const gradientSteps = draft.numSequences;
    const metrics = checkpointMetrics(job, draft, { means, validationLoss, trainerTokens, gradientSteps });
    this.keeper.ending();
    const { step } = await this.writing(() =>
      checkpoints.commit(lease, { ...checkpoint, engine: engine.remoteName, metrics, jobMetrics: means }),
    );
    log.info({ job_id: job.id, model_id: job.modelId, attempt: job.attempt, step }, 'a job succeeded');
  }

  private writing<T>(work: () => Promise<T>): Promise<T> {
    return whenDatabaseAnswers(work, this.keeper.signal);
  }
}

/** Null: no penalty, or one that measures from the base. */
function referenceOf(config: object): ReferenceChoice | null {
  const { kl_penalty_coef, kl_penalty_reference_step, kl_penalty_step_lag } = resolveRlConfig(config);
  if (kl_penalty_coef === 0) return null;
  if (kl_penalty_reference_step !== null) return { step: kl_penalty_reference_step };
  return kl_penalty_step_lag === null ? null : { lag: kl_penalty_step_lag };
}
