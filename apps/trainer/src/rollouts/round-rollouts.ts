import { writeFile } from 'node:fs/promises';

import type { ArtifactStore } from '@hone/artifacts';
import type { StepMetrics } from '@hone/engine';
import type {
  GroupDraft,
  JobWarning,
  RolloutSettings,
  RoundState,
  TrainingJobRecord,
  TrainingStartedData,
} from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { ARTIFACT_STORE } from '../config/trainer.tokens.js';
import type { InputFile } from '../data/training-data.js';
import type { AttemptWorkspace } from '../workspace/attempt-workspace.js';

const NANO = 1e9;

export const isBudgetSpent = ({ max_cost_usd: max }: RolloutSettings, spentNanoUsd: number): boolean =>
  max !== null && spentNanoUsd >= max * NANO;

/** Whether the job ends with the current round. All of it is settled, so every attempt finds the same. */
export function isLastRound(job: TrainingJobRecord): boolean {
  const rounds = job.data.rollouts?.rounds ?? Infinity;
  return job.roundsDone + 1 >= rounds || isStopped(job);
}

const isStopped = ({ rollouts, data }: TrainingJobRecord): boolean =>
  rollouts !== null && isBudgetSpent(rollouts, data.rollouts?.costNanoUsd ?? 0);

/** Puts the settled groups of a round together. */
@Injectable()
export class RoundRollouts {
  constructor(@Inject(ARTIFACT_STORE) private readonly store: ArtifactStore) {}

  /** The groups by position, one a line: the same bytes in each attempt. */
  async write({ job, groups }: RoundState, workspace: AttemptWorkspace): Promise<InputFile> {
    const path = workspace.pathOf('rollouts.jsonl');
    // The plan of an earlier attempt is taken as it is, and its input is not read again.
    const lines = job.plan === null ? groups : [];
    const parts: Buffer[] = [];
    for (const { uri, sha256 } of lines) parts.push(await this.store.read(uri, sha256));
    await writeFile(path, Buffer.concat(parts));
    return { path, sha256: null };
  }
}

/** What a round is planned from, and what its gradient steps report beside their own metrics. */
export interface PlannedRound {
  readonly input: InputFile;
  readonly warnings: readonly JobWarning[];
  readonly metrics: (started: TrainingStartedData) => StepMetrics;
}

export function roundInput({ job, groups }: RoundState, input: InputFile): PlannedRound {
  return {
    input,
    warnings: isStopped(job) && !hasAllRounds(job) ? [budgetWarning(job.rollouts as RolloutSettings)] : [],
    metrics: (started) => metricsOf(job, groups, started),
  };
}

const hasAllRounds = ({ roundsDone, data }: TrainingJobRecord): boolean =>
  roundsDone + 1 >= (data.rollouts?.rounds ?? Infinity);

function metricsOf(job: TrainingJobRecord, groups: readonly GroupDraft[], started: TrainingStartedData): StepMetrics {
  const sum = (name: 'answers' | 'graded' | 'rewardSum') => groups.reduce((total, group) => total + group[name], 0);
  const answers = sum('answers');
  return {
    'rollouts/round': job.roundsDone + 1,
    'rollouts/reward_mean': sum('rewardSum') / sum('graded'),
    'rollouts/groups_used': started.num_groups_trainable,
    'rollouts/groups_skipped': groups.length - started.num_groups_trainable,
    'rollouts/failed_share': answers === 0 ? 0 : (answers - sum('graded')) / answers,
    'rollouts/cost_usd': (job.data.rollouts?.costNanoUsd ?? 0) / NANO,
  };
}

const budgetWarning = ({ max_cost_usd: max }: RolloutSettings): JobWarning => ({
  code: 'rollouts.budget_spent',
  message: `Sampling and grading have cost the ${max} US dollars that the job may spend: it ended before its last round.`,
  hint: 'Raise max_cost_usd, and go on from the checkpoint that there is.',
  loc: ['rollouts', 'max_cost_usd'],
});
