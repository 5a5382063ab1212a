import { createReadStream } from 'node:fs';

import type { ArtifactStore } from '@hone/artifacts';
import { StandbyProcess } from '@hone/engine';
import { JobCheckpoints, type PlanDraft, type StartingPoint, type TrainingJobRecord } from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { ARTIFACT_STORE } from '../config/trainer.tokens.js';
import { TrainingData } from '../data/training-data.js';
import type { AttemptWorkspace } from '../workspace/attempt-workspace.js';
import { learningRateScale } from './learning-rate-scale.js';
import { measurePlan } from './measure-plan.js';
import type { PlanResult, PlanTask } from './planning-messages.js';
import { forkPlanningProcess, type PlanningWatch, runPlanningProcess } from './planning-process.js';
import type { ResolvedJob } from './resolved-job.js';

const MAX_LINES = 1_000_000;

/** What every task needs to know of the engine and the base model. */
export interface PlanningBase {
  readonly baseDirectory: string;
  /** Null: a server has the weights of the base model. */
  readonly maxParams: number | null;
  /** Tokens of the longest sequence that the engine takes. */
  readonly maxContext: number;
}

export interface PlannedJob {
  readonly draft: PlanDraft;
  /** Cumulative tokens: entry k - 1 counts rows 0 to k - 1. */
  readonly tokensAfter: readonly number[];
}

/** Turns the input of a job into the stored rows that an engine trains on. */
@Injectable()
export class JobPlanner {
  private readonly processes = new StandbyProcess(forkPlanningProcess);

  constructor(
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    private readonly data: TrainingData,
    private readonly checkpoints: JobCheckpoints,
  ) {}

  /** Starts a planning process ahead of the next job. */
  prepare(): void {
    this.processes.prepare();
  }

  /**
   * The plan of an earlier attempt, or a new one.
   *
   * @throws EngineError the input cannot be planned, or had
   * @throws the reason of the watch's signal
   */
  async plan(
    resolved: ResolvedJob,
    start: StartingPoint,
    base: PlanningBase,
    workspace: AttemptWorkspace,
    watch: PlanningWatch,
  ): Promise<PlannedJob> {
    const { job } = resolved;
    const { signal } = watch;
    if (job.plan) {
      const rowTokens = await measurePlan(await this.store.open(job.plan.uri), job.plan.sha256, signal);
      return { draft: toKnownDraft(job, job.plan), tokensAfter: runningSums(rowTokens) };
    }
    const task = await this.taskOf(resolved, start, base, workspace, signal);
    const result = await runPlanningProcess(task, watch, this.processes);
    const stored = await this.store.put(
      `jobs/${job.id}/plan-a${job.attempt}.jsonl`,
      createReadStream(workspace.pathOf('plan.jsonl')),
    );
    if (stored.sha256 !== result.digest) throw new Error(`The stored plan of job ${job.id} is not what was planned.`);
    const draft = toDraft(job, result, stored.uri, start.parent?.step ?? 0, await this.scaleOf(resolved));
    return { draft, tokensAfter: runningSums(result.rowTokens) };
  }

  private async taskOf(
    { job, settings }: ResolvedJob,
    { parent }: StartingPoint,
    base: PlanningBase,
    workspace: AttemptWorkspace,
    signal: AbortSignal,
  ): Promise<PlanTask> {
    const shared = { ...base, output: workspace.pathOf('plan.jsonl') };
    const input = await this.data.fetch(job, workspace, signal);
    if (settings.kind === 'rl') {
      const { config } = settings;
      const hasLines = job.trainingDataUrl !== null;
      return { ...shared, type: 'rl', input, config, parentStep: parent?.step ?? 0, hasLines, maxLines: MAX_LINES };
    }
    const { config } = settings;
    const validation = await this.data.fetchValidation(job, config.validation_data_url, workspace, signal);
    const task = { ...shared, input, maxLines: MAX_LINES, validation };
    return settings.kind === 'sft'
      ? { ...task, type: settings.kind, config: settings.config }
      : { ...task, type: settings.kind, config: settings.config };
  }

  private async scaleOf({ settings, lease }: ResolvedJob): Promise<number> {
    if (settings.kind !== 'rl' || !settings.config.scale_learning_rate_by_reward_std_dev) return 1;
    return learningRateScale(await this.checkpoints.findLoggedMeans(lease, 'train', 'reward_std_dev'));
  }
}

function toDraft(
  job: TrainingJobRecord,
  { digest, rowTokens, counts, warnings }: PlanResult,
  uri: string,
  parentStep: number,
  scale: number,
): PlanDraft {
  const data = {
    ...job.data,
    groups_submitted: counts.groupsSubmitted,
    groups_trainable: counts.groupsTrainable,
    trajectories: counts.trajectories,
    trajectories_trained: counts.trajectoriesTrained,
    dropped: counts.dropped as Record<string, number>,
    ...counts.rewards,
  };
  return {
    uri,
    sha256: digest,
    numSequences: rowTokens.length,
    learningRateScale: scale,
    tokens: { input: counts.inputTokens, trainable: counts.trainableTokens, processed: 0 },
    data,
    warnings,
    started: {
      num_sequences: rowTokens.length,
      num_groups_submitted: counts.groupsSubmitted,
      num_groups_trainable: counts.groupsTrainable,
      num_trajectories: counts.trajectories,
      num_trainable_tokens: counts.trainableTokens,
      parent_step: parentStep,
      ...counts.rewards,
    },
  };
}

/** Takes the plan that the row of the job records, and writes nothing. */
const toKnownDraft = (job: TrainingJobRecord, plan: { uri: string; sha256: string }): PlanDraft => ({
  ...plan,
  numSequences: job.numSequences ?? 0,
  learningRateScale: job.learningRateScale ?? 1,
  tokens: {},
  data: job.data,
  started: {
    num_sequences: job.numSequences ?? 0,
    num_groups_submitted: job.data.groups_submitted ?? 0,
    num_groups_trainable: job.data.groups_trainable ?? 0,
    num_trajectories: job.data.trajectories ?? 0,
    num_trainable_tokens: job.tokens.trainable ?? 0,
    parent_step: job.parentStep ?? 0,
    reward_mean: job.data.reward_mean,
    reward_std_dev: job.data.reward_std_dev,
    reward_zero_share: job.data.reward_zero_share,
  },
});

function runningSums(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value));
}
