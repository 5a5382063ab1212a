import type { ArtifactStore } from '@hone/artifacts';
import { JobCheckpoints, JobRounds, type RoundState, type StartingPoint } from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { ARTIFACT_STORE } from '../config/trainer.tokens.js';
import { whenDatabaseAnswers } from '../database/when-database-answers.js';
import type { PlannedJob } from '../planning/job-planner.js';
import { isLastRound, roundInput, RoundRollouts } from '../rollouts/round-rollouts.js';
import { RoundSampler } from '../rollouts/round-sampler.service.js';
import { TrainerLog } from '../telemetry/trainer-log.js';
import { AttemptWorkspace } from '../workspace/attempt-workspace.js';
import type { Attempt } from './attempt.js';
import type { StoredCheckpoint } from './checkpoint-writer.js';
import { type JobSink, JobSinks } from './job-sink.js';
import { PlannedTraining } from './planned-training.js';

type Outcome = 'succeeded' | 'drained';

/**
 * Carries out jobs that sample their own rollouts, round by round: sample and grade, plan, train, and make the checkpoint that
 * the next round samples from. All that a round has done is in the database and the store, so any attempt goes on with it.
 */
@Injectable()
export class RoundsService {
  constructor(
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    private readonly rounds: JobRounds,
    private readonly checkpoints: JobCheckpoints,
    private readonly sampler: RoundSampler,
    private readonly files: RoundRollouts,
    private readonly training: PlannedTraining,
    private readonly sinks: JobSinks,
    private readonly log: TrainerLog,
  ) {}

  async carryOut(attempt: Attempt, start: StartingPoint): Promise<Outcome> {
    for (;;) {
      const workspace = await AttemptWorkspace.open(this.store, attempt.lease);
      try {
        const outcome = await this.carryOutRound(attempt, start, workspace);
        if (outcome !== 'continued') return outcome;
      } finally {
        await workspace.discard();
      }
    }
  }

  private async carryOutRound(
    attempt: Attempt,
    start: StartingPoint,
    workspace: AttemptWorkspace,
  ): Promise<Outcome | 'continued'> {
    const state = await this.sampled(attempt, start, workspace);
    const round: Attempt = { ...attempt, job: state.job };
    const from: StartingPoint = { parent: state.parent, reference: start.reference };
    const input = roundInput(state, await this.files.write(state, workspace));
    const planned = await this.training.plan(round, from, workspace, input);
    const sink = this.sinks.open(round, workspace, planned, input.metrics(planned.draft.started));
    const isLast = isLastRound(state.job);
    if (planned.draft.numSequences === 0) return this.endEmpty(round, from, planned, workspace, sink, isLast);
    const checkpoint = await this.training.train(round, from, planned, workspace, sink);
    if (checkpoint === null) return 'drained';
    return this.end(round, planned, checkpoint, sink, isLast);
  }

  /** The round with all of its groups, of which those that are missing are sampled. */
  private async sampled(attempt: Attempt, start: StartingPoint, workspace: AttemptWorkspace): Promise<RoundState> {
    const { lease, keeper } = attempt;
    const read = () => whenDatabaseAnswers(() => this.rounds.read(lease, start.parent), keeper.signal);
    const state = await read();
    if (state.job.plan !== null) return state;
    keeper.phase = 'sampling';
    await this.sampler.sample(lease, state, workspace, AbortSignal.any([keeper.signal, attempt.drain]));
    keeper.phase = 'planning';
    return read();
  }

  private async end(
    round: Attempt,
    planned: PlannedJob,
    checkpoint: StoredCheckpoint,
    sink: JobSink,
    isLast: boolean,
  ): Promise<Outcome | 'continued'> {
    if (isLast) {
      await this.training.commit(round, planned, checkpoint, sink);
      return 'succeeded';
    }
    const { job, lease, keeper } = round;
    const made = await this.training.measure(
      round,
      planned,
      checkpoint,
      sink,
      job.roundBase + planned.draft.numSequences,
    );
    await whenDatabaseAnswers(() => this.checkpoints.commitRound(lease, job.roundsDone, made), keeper.signal);
    this.log.info({ job_id: job.id, model_id: job.modelId, round: job.roundsDone + 1 }, 'a round was trained');
    return 'continued';
  }

  /** Nothing in the round told its answers apart: its parent stays the current checkpoint. */
  private async endEmpty(
    round: Attempt,
    from: StartingPoint,
    planned: PlannedJob,
    workspace: AttemptWorkspace,
    sink: JobSink,
    isLast: boolean,
  ): Promise<Outcome | 'continued'> {
    const { job, lease, keeper } = round;
    const writing = <T>(work: () => Promise<T>) => whenDatabaseAnswers(work, keeper.signal);
    if (!isLast) {
      await writing(() => this.checkpoints.commitRound(lease, job.roundsDone, null));
      return 'continued';
    }
    if (job.roundBase > 0) {
      keeper.ending();
      const means = await writing(() => this.sinks.jobs.findStepMeans(lease));
      await writing(() => this.checkpoints.endWithLatest(lease, means));
      return 'succeeded';
    }
    // No round taught anything: the job makes a step that shares the bytes of its parent, as any job without a gradient does.
    const checkpoint = await this.training.train(round, from, planned, workspace, sink);
    if (checkpoint === null) return 'drained';
    await this.training.commit(round, planned, checkpoint, sink);
    return 'succeeded';
  }
}
