import type { RolloutDto } from '@hone/client';

/** Rollouts with rewards from `from` to `to`; `to` itself is in the next bar, except in the last. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly rollouts: readonly RolloutDto[];
}

const MOST_BARS = 12;

/** Rewards as bars. A few different rewards have a bar each; more are shared out between bars of equal width. */
export function toBars(rollouts: readonly RolloutDto[]): readonly Bar[] {
  const rewards = [...new Set(rollouts.map(({ reward }) => reward))].sort((a, b) => a - b);
  const [least, most] = [rewards[0], rewards.at(-1)];
  if (least === undefined || most === undefined) return [];
  if (rewards.length <= MOST_BARS) {
    return rewards.map((reward) => ({
      from: reward,
      to: reward,
      rollouts: rollouts.filter((one) => one.reward === reward),
    }));
  }
  // By halves: the difference of the greatest numbers overflows.
  const half = most / 2 - least / 2;
  const width = (half / MOST_BARS) * 2;
  const edge = (at: number) => (at < MOST_BARS / 2 ? least + at * width : most - (MOST_BARS - at) * width);
  const shareOf = (reward: number) => (half === 0 ? 0 : (reward / 2 - least / 2) / half);
  const barOf = (reward: number) => Math.min(MOST_BARS - 1, Math.floor(MOST_BARS * shareOf(reward)));
  return Array.from({ length: MOST_BARS }, (_, at) => ({
    from: edge(at),
    to: edge(at + 1),
    rollouts: rollouts.filter(({ reward }) => barOf(reward) === at),
  }));
}

/** Positions of groups with equal rewards: nothing tells their rollouts apart, so they teach nothing. */
export function groupsWithoutSpread(rollouts: readonly RolloutDto[]): readonly number[] {
  const rewards = new Map<number, Set<number>>();
  for (const { group, reward } of rollouts) rewards.set(group, (rewards.get(group) ?? new Set()).add(reward));
  return [...rewards].filter(([, different]) => different.size === 1).map(([group]) => group);
}
