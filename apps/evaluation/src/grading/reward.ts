import type { Outcome } from '../kinds/scorer-kind.js';
import type { Criterion } from '../truth/criterion.js';

/** What counts of an outcome, a rating on its scale brought to 0 to 1, a tag as 0 or 1; null: there is no verdict. */
export function scoreOf({ state, ratings, tags }: Outcome, { name, isTag, scale }: Criterion): number | null {
  if (state !== 'done') return null;
  if (isTag) return tags.includes(name) ? 1 : 0;
  const value = ratings.find((rating) => rating.name === name)?.value ?? null;
  if (value === null || scale === null) return value;
  const [least, largest] = scale;
  return (value - least) / (largest - least);
}

/** Mean of scores by their weights; null: one is missing, and the rest does not say what the whole would have been. */
export function rewardOf(scores: readonly (number | null)[], weights: readonly number[]): number | null {
  let [sum, total] = [0, 0];
  for (const [at, score] of scores.entries()) {
    if (score === null) return null;
    const weight = weights[at] as number;
    sum += weight * score;
    total += weight;
  }
  return sum / total;
}
