import { type JobRolloutsDto, parseArtifactRef } from '@hone/contracts';
import type { TrainingJobRecord } from '@hone/training-jobs';

import type { OwningProject } from '../access/training-access.js';

const NANO = 1e9;

/**
 * Those who read the job may read the artifacts of its project, too. That of another project names what they may not know
 * of, and other addresses may hold the key that opens them.
 */
export function isOwnArtifact(url: string | null, { entity, project }: OwningProject): boolean {
  const ref = url === null ? undefined : parseArtifactRef(url);
  return ref?.entity === entity && ref.project === project;
}

/** Null: the job samples nothing by itself. */
export function toRollouts(
  { rollouts, roundsDone, status, data }: TrainingJobRecord,
  owning: OwningProject,
): JobRolloutsDto | null {
  if (rollouts === null) return null;
  const { prompts_url, scorers, n, prompts_per_round, sampling, max_cost_usd, seed } = rollouts;
  const counts = data.rollouts;
  const rounds = counts?.rounds ?? rollouts.rounds;
  return {
    prompts_url: isOwnArtifact(prompts_url, owning) ? prompts_url : null,
    scorers: scorers.map(({ scorer, criterion, weight }) => ({ scorer, criterion, weight })),
    ...{ n, prompts_per_round, rounds },
    // The last round ends with its job.
    rounds_done: roundsDone + (status === 'succeeded' ? 1 : 0),
    sampling: { temperature: sampling.temperature, top_p: sampling.top_p, max_tokens: sampling.max_tokens },
    ...{ max_cost_usd, seed },
    prompts: counts?.prompts ?? 0,
    answers: counts?.answers ?? 0,
    graded: counts?.graded ?? 0,
    failures: { ...counts?.failures },
    cost_usd: (counts?.costNanoUsd ?? 0) / NANO,
    last_reward_mean: counts?.lastRewardMean ?? null,
  };
}
