/** Keeps the division finite where all rewards of a group are nearly equal. */
const EPSILON = 1e-6;

/**
 * Advantages of the trajectories of one group: how much better than the group's mean each reward is, with `scaled` in
 * units of the group's population deviation. Equal rewards give exactly 0, however their sum is rounded.
 *
 * @returns in the order of `rewards`; null when a value on the way is not finite
 */
export function groupAdvantages(rewards: readonly number[], scaled: boolean): number[] | null {
  const ascending = rewards.toSorted((a, b) => a - b);
  if (ascending[0] === ascending.at(-1)) return rewards.map(() => 0);
  const mean = meanOf(ascending);
  const deviation = Math.sqrt(meanOf(ascending.map((reward) => (reward - mean) ** 2)));
  const advantages = rewards.map((reward) => (reward - mean) / (scaled ? deviation + EPSILON : 1));
  const isFinite = (!scaled || Number.isFinite(deviation)) && advantages.every(Number.isFinite);
  return isFinite ? advantages : null;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Plays down failures (`balance` > 0) or successes (`balance` < 0); at 1 or -1 they count nothing. */
export function balanced(advantage: number, balance: number): number {
  if (balance > 0 && advantage < 0) return advantage * (1 - balance) || 0;
  if (balance < 0 && advantage > 0) return advantage * (1 + balance);
  return advantage;
}
