import type { ArtifactStore } from '@hone/artifacts';
import { ParentElsewhereError } from '@hone/tinker';
import { JobCheckpoints, type ReferenceChoice, type StartingPoint } from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { ARTIFACT_STORE } from '../config/trainer.tokens.js';
import { whenDatabaseAnswers } from '../database/when-database-answers.js';
import type { JobSettings } from '../planning/resolved-job.js';
import { AttemptWorkspace } from '../workspace/attempt-workspace.js';
import type { Attempt } from './attempt.js';
import { JobSinks } from './job-sink.js';
import { PlannedTraining } from './planned-training.js';
import { RoundsService } from './rounds.service.js';

/** Carries attempts out: plans, trains and commits. */
@Injectable()
export class AttemptService {
  constructor(
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    private readonly checkpoints: JobCheckpoints,
    private readonly training: PlannedTraining,
    private readonly rounds: RoundsService,
    private readonly sinks: JobSinks,
  ) {}

  /**
   * `drained`: another worker continues the job.
   *
   * @throws whatever went wrong; the job's row is as it was then
   */
  async carryOut(attempt: Attempt): Promise<'succeeded' | 'drained'> {
    assertEngine(attempt);
    prepareEngine(attempt);
    const start = await this.fixStart(attempt);
    const outcome = await (attempt.job.rollouts
      ? this.rounds.carryOut(attempt, start)
      : this.carryOutWhole(attempt, start));
    if (outcome === 'drained') return outcome;
    // Reinforcement learning sends many short jobs: what the next one needs is started before it comes.
    this.training.prepare();
    prepareEngine(attempt);
    return outcome;
  }

  private async carryOutWhole(attempt: Attempt, start: StartingPoint): Promise<'succeeded' | 'drained'> {
    const workspace = await AttemptWorkspace.open(this.store, attempt.lease);
    try {
      const planned = await this.training.plan(attempt, start, workspace);
      const sink = this.sinks.open(attempt, workspace, planned);
      const checkpoint = await this.training.train(attempt, start, planned, workspace, sink);
      if (checkpoint === null) return 'drained';
      await this.training.commit(attempt, planned, checkpoint, sink);
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
