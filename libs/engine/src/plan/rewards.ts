/** Mean and spread of rewards. Property names are the wire names. */
export interface RewardStats {
  readonly reward_mean: number;
  /** Standard deviation of the population. */
  readonly reward_std_dev: number;
  /** Share of rewards that are exactly 0. */
  readonly reward_zero_share: number;
}

/** Null: there is no reward, or their mean or deviation is no finite number. */
export function rewardStats(rewards: readonly number[]): RewardStats | null {
  const { length } = rewards;
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / length;
  const variance = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / length;
  if (length === 0 || !Number.isFinite(variance)) return null;
  const zeros = rewards.filter((reward) => reward === 0).length;
  return { reward_mean: mean, reward_std_dev: Math.sqrt(variance), reward_zero_share: zeros / length };
}
