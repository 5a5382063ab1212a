import { createReadStream } from 'node:fs';

import type { ArtifactStore } from '@hone/artifacts';
import { StandbyProcess } from '@hone/engine';
import {
  JobCheckpoints,
  type JobWarning,
  type PlanDraft,
  type StartingPoint,
  type TrainingJobRecord,
} from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { ARTIFACT_STORE } from '../config/trainer.tokens.js';
import { type InputFile, TrainingData } from '../data/training-data.js';
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

/** The data of one round of a job that samples its own rollouts. */
export interface RoundInput {
  /** A trajectory group in each line. */
  readonly input: InputFile;
  /** In addition to those of the plan. */
  readonly warnings: readonly JobWarning[];
}

export interface PlannedJob {
  readonly draft: PlanDraft;
  /** Cumulative tokens: entry k - 1 counts rows 0 to k - 1, and those of earlier rounds. */
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
    round?: RoundInput,
  ): Promise<PlannedJob> {
    const { job } = resolved;
    const { signal } = watch;
    if (job.plan) {
      const rowTokens = await measurePlan(await this.store.open(job.plan.uri), job.plan.sha256, signal);
      return { draft: toKnownDraft(job, job.plan), tokensAfter: runningSums(rowTokens, job.data.round?.tokens_before) };
    }
    const task = await this.taskOf(resolved, start, base, workspace, signal, round);
    const result = await runPlanningProcess(task, watch, this.processes);
    const stored = await this.store.put(
      `jobs/${job.id}/plan-${round ? `r${job.roundsDone}-` : ''}a${job.attempt}.jsonl`,
      createReadStream(workspace.pathOf('plan.jsonl')),
    );
    if (stored.sha256 !== result.digest) throw new Error(`The stored plan of job ${job.id} is not what was planned.`);
    const draft = toDraft(job, result, stored.uri, start.parent?.step ?? 0, await this.scaleOf(resolved));
    if (!round) return { draft, tokensAfter: runningSums(result.rowTokens) };
    return { draft: ofRound(draft, job, round), tokensAfter: runningSums(result.rowTokens, job.tokens.processed) };
  }

  private async taskOf(
    { job, settings }: ResolvedJob,
    { parent }: StartingPoint,
    base: PlanningBase,
    workspace: AttemptWorkspace,
    signal: AbortSignal,
    round: RoundInput | undefined,
  ): Promise<PlanTask> {
    const shared = { ...base, output: workspace.pathOf('plan.jsonl') };
    const input = round?.input ?? (await this.data.fetch(job, workspace, signal));
    if (settings.kind === 'rl') {
      const { config } = settings;
      const hasLines = round !== undefined || job.trainingDataUrl !== null;
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

/** The draft of a round, whose counts join those of the rounds before it. */
function ofRound(draft: PlanDraft, job: TrainingJobRecord, { warnings }: RoundInput): PlanDraft {
  const before = job.tokens.processed ?? 0;
  const { started } = draft;
  const dropped = { ...job.data.dropped };
  for (const [reason, count] of Object.entries(draft.data.dropped ?? {})) {
    dropped[reason] = (dropped[reason] ?? 0) + count;
  }
  const sum = (name: 'groups_submitted' | 'groups_trainable' | 'trajectories' | 'trajectories_trained') =>
    (job.data[name] ?? 0) + (draft.data[name] ?? 0);
  return {
    ...draft,
    after: job.roundBase,
    warnings: [...(draft.warnings ?? []), ...warnings],
    tokens: {
      input: (job.tokens.input ?? 0) + (draft.tokens.input ?? 0),
      trainable: (job.tokens.trainable ?? 0) + (draft.tokens.trainable ?? 0),
      processed: before,
    },
    data: {
      ...draft.data,
      groups_submitted: sum('groups_submitted'),
      groups_trainable: sum('groups_trainable'),
      trajectories: sum('trajectories'),
      trajectories_trained: sum('trajectories_trained'),
      dropped,
      ...(job.data.rollouts && {
        rollouts: { ...job.data.rollouts, lastRewardMean: started.reward_mean ?? null },
      }),
      round: { started, tokens_before: before },
    },
  };
}

/** Takes the plan that the row of the job records, and writes nothing. */
const toKnownDraft = (job: TrainingJobRecord, plan: { uri: string; sha256: string }): PlanDraft => ({
  ...plan,
  ...(job.rollouts && { after: job.roundBase }),
  numSequences: (job.numSequences ?? 0) - job.roundBase,
  learningRateScale: job.learningRateScale ?? 1,
  tokens: {},
  data: job.data,
  started: job.data.round?.started ?? {
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

function runningSums(values: readonly number[], before = 0): number[] {
  let sum = before;
  return values.map((value) => (sum += value));
}
