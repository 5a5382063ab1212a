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
  const width = (most - least) / MOST_BARS;
  const barOf = (reward: number) => Math.min(MOST_BARS - 1, Math.floor((reward - least) / width));
  return Array.from({ length: MOST_BARS }, (_, at) => ({
    from: least + at * width,
    to: at === MOST_BARS - 1 ? most : least + (at + 1) * width,
    rollouts: rollouts.filter(({ reward }) => barOf(reward) === at),
  }));
}

/** Positions of groups with equal rewards: nothing tells their rollouts apart, so they teach nothing. */
export function groupsWithoutSpread(rollouts: readonly RolloutDto[]): readonly number[] {
  const rewards = new Map<number, Set<number>>();
  for (const { group, reward } of rollouts) rewards.set(group, (rewards.get(group) ?? new Set()).add(reward));
  return [...rewards].filter(([, different]) => different.size === 1).map(([group]) => group);
}
