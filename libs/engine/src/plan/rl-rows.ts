import type { PlannedSequence, PlanRow } from './plan.js';
import { rewardStats } from './rewards.js';
import type { RlConfig } from './rl-config.js';
import type { TrajectoryDraft } from './rl-drafts.js';
import type { ChosenSequence } from './rl-selection.js';
import { weigh, type Weighed } from './weights.js';

export type WeighedSequences = ReadonlyMap<ChosenSequence, Weighed>;

/**
 * Weights and final advantages of all chosen sequences; null when there is nothing to train.
 *
 * @param groups in canonical order
 */
export function weighSequences(groups: readonly (readonly ChosenSequence[])[]): WeighedSequences | null {
  const sequences = groups.flat();
  const weighed = weigh(
    sequences.map(({ trainedTokens, trajectoryTokens, trajectory }) => ({
      trainedTokens,
      trajectoryTokens,
      advantage: trajectory.balancedAdvantage,
    })),
  );
  return weighed && new Map(sequences.map((sequence, at) => [sequence, weighed[at] as Weighed]));
}

export function toRlRow(
  row: number,
  chosen: readonly ChosenSequence[],
  weighed: WeighedSequences,
  config: RlConfig,
  parentStep: number,
): PlanRow {
  const trajectories = [...new Set(chosen.map(({ trajectory }) => trajectory))];
  const rewards = rewardStats(trajectories.map(({ reward }) => reward));
  const factor = trajectories.length ** config.num_trajectories_learning_rate_multiplier_power;
  return {
    row,
    sequences: chosen.map((sequence) => toPlanned(sequence, weighed.get(sequence) as Weighed)),
    numTrajectories: trajectories.length,
    learningRate: config.learning_rate * factor,
    staleness: stalenessOf(trajectories, parentStep),
    ...(rewards && { rewards }),
  };
}

const toPlanned = ({ ids, mask, old }: ChosenSequence, { weight, advantage }: Weighed): PlannedSequence => ({
  ids,
  mask,
  old,
  adv: advantage,
  weight,
});

function stalenessOf(trajectories: readonly TrajectoryDraft[], parentStep: number): number | null {
  const versions = trajectories.flatMap(({ initialPolicyVersion }) => initialPolicyVersion ?? []);
  if (versions.length === 0) return null;
  return versions.reduce((sum, version) => sum + (parentStep - version), 0) / versions.length;
}
