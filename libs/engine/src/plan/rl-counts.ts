import { countDropped } from './count-dropped.js';
import type { PlanCounts, TrajectoryReport } from './plan.js';
import { rewardStats } from './rewards.js';
import type { TrajectoryDraft } from './rl-drafts.js';
import type { Selection } from './rl-selection.js';

/** @param epochs passes over all rows */
export function countRl(
  groupsSubmitted: number,
  { reasons, groups }: Selection,
  rewards: readonly number[],
  epochs: number,
): PlanCounts {
  const sequences = groups.flat();
  return {
    groupsSubmitted,
    groupsTrainable: groups.length,
    trajectories: reasons.length,
    trajectoriesTrained: reasons.filter((reason) => reason === null).length,
    dropped: countDropped(reasons),
    inputTokens: epochs * sequences.reduce((sum, { ids }) => sum + ids.length, 0),
    trainableTokens: epochs * sequences.reduce((sum, { trainedTokens }) => sum + trainedTokens, 0),
    rewards: rewardStats(rewards),
  };
}

/** The outcome of planning for each trajectory, in the order of the input. */
export function reportTrajectories(drafts: readonly TrajectoryDraft[], selection: Selection): TrajectoryReport[] {
  const trained = new Map<TrajectoryDraft, number>();
  for (const { trajectory, trainedTokens } of selection.groups.flat()) {
    trained.set(trajectory, (trained.get(trajectory) ?? 0) + trainedTokens);
  }
  return drafts.map((draft, at) => ({
    group: draft.group,
    index: draft.index,
    trainedTokens: trained.get(draft) ?? 0,
    advantage: draft.advantage,
    reason: selection.reasons[at] ?? null,
  }));
}
