import { RewardOverflowError } from './plan.errors.js';

const EPSILON = 1e-6;

/** A sequence whose trained tokens all have one advantage and one weight. */
interface Weighable {
  readonly trainedTokens: number;
  readonly advantage: number;
  /** Trained tokens of the trajectory, over all its sequences and before any was cut. */
  readonly trajectoryTokens: number;
}

export interface Weighed {
  readonly weight: number;
  readonly advantage: number;
}

/**
 * Weights that let each trajectory count alike whatever its length, brought to mean 1 over all trained tokens, and
 * advantages brought to a mean magnitude of 1 under these weights.
 *
 * @param sequences in canonical order: the order of the sums decides their last bits
 * @returns in the same order; null when no advantage is left
 * @throws RewardOverflowError the mean magnitude is not finite
 */
export function weigh(sequences: readonly Weighable[]): Weighed[] | null {
  if (sequences.length === 0) return null;
  const raw = sequences.map(({ trajectoryTokens }) => 1 / (trajectoryTokens + EPSILON));
  const meanWeight = tokenMean(sequences, raw);
  const weights = raw.map((weight) => weight / meanWeight);
  const magnitude = tokenMean(
    sequences,
    sequences.map(({ advantage }, at) => Math.abs(advantage) * (weights[at] as number)),
  );
  if (!Number.isFinite(magnitude)) throw new RewardOverflowError([]);
  if (magnitude === 0) return null;
  return sequences.map(({ advantage }, at) => ({ weight: weights[at] as number, advantage: advantage / magnitude }));
}

/** Mean over all trained tokens of a value that the tokens of a sequence share. */
function tokenMean(sequences: readonly Weighable[], values: readonly number[]): number {
  const tokens = sequences.reduce((sum, { trainedTokens }) => sum + trainedTokens, 0);
  return sequences.reduce((sum, { trainedTokens }, at) => sum + trainedTokens * (values[at] as number), 0) / tokens;
}
