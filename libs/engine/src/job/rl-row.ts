import type { PlanRow } from '../plan/plan.js';
import type { RewardStats } from '../plan/rewards.js';
import type { TokenScores, TrainSequence } from '../train/train-sequence.js';
import { trainedPositions } from './trained-positions.js';
import type { RlLossSpec } from './training-spec.js';

/** Avoids a division by zero in a row without trained tokens. */
const EPSILON = 1e-6;

/** A sequence whose per-token values are settled. */
interface RlSequence extends TrainSequence {
  readonly old: Float64Array;
  readonly advantage: Float64Array;
  readonly weight: Float64Array;
}

/** A planned row as the trainer takes it, with what its metrics need. */
export interface RlRow {
  readonly sequences: readonly RlSequence[];
  readonly numTrajectories: number;
  readonly staleness: number | null;
  /** Absent: plans from before rewards were kept. */
  readonly rewards?: RewardStats;
  /** Whether the loss clips a token with this ratio. */
  isClipped(ratio: number): boolean;
}

/** Expands a planned row: each trained token gets the constants of its trajectory, and its share of the weight. */
export function settleRlRow(row: PlanRow, loss: RlLossSpec): RlRow {
  const trained = row.sequences.map((sequence) => trainedPositions(sequence));
  const count = trained.reduce((total, positions) => total + positions.length, 0);
  return {
    numTrajectories: row.numTrajectories,
    staleness: row.staleness,
    rewards: row.rewards,
    isClipped: (ratio) => ratio < 1 - loss.epsilon || ratio > 1 + loss.epsilon_high,
    sequences: row.sequences.map(({ ids, old, adv, weight }, index) => {
      const positions = trained[index] as number[];
      return {
        ids,
        trained: positions,
        old: Float64Array.from(positions, (at) => old?.[at] ?? NaN),
        advantage: new Float64Array(positions.length).fill(adv ?? 0),
        weight: new Float64Array(positions.length).fill(weight / (count + EPSILON)),
      };
    }),
  };
}

/**
 * Replaces the logged log-probabilities by those recomputed under the parent. Their distance is kept as `drift` for
 * truncated importance sampling.
 */
export function withRecalculated(row: RlRow, parent: readonly Pick<TokenScores, 'lp'>[]): RlRow {
  const sequences = row.sequences.map((sequence, index) => {
    const now = Float64Array.from((parent[index] as Pick<TokenScores, 'lp'>).lp);
    return { ...sequence, old: now, drift: now.map((value, at) => Math.exp(value - (sequence.old[at] as number))) };
  });
  return { ...row, sequences };
}

/**
 * The KL penalty as a shift of advantages whose mean over the row is 0: `coefficient * (mean k - k)` with
 * k = source - reference.
 *
 * @param source log-probabilities of the sampling policy or of the learner, NaN where unknown
 * @param learner stands in where the source is unknown
 */
export function withKlPenalty(
  row: RlRow,
  coefficient: number,
  source: readonly ArrayLike<number>[],
  learner: readonly ArrayLike<number>[],
  reference: readonly ArrayLike<number>[],
): { row: RlRow; meanKl: number } {
  const distances = row.sequences.map(({ trained }, index) =>
    Array.from({ length: trained.length }, (_, at) => {
      const from = source[index]?.[at] as number;
      return (Number.isNaN(from) ? (learner[index]?.[at] as number) : from) - (reference[index]?.[at] as number);
    }),
  );
  const all = distances.flat();
  const meanKl = all.reduce((total, value) => total + value, 0) / all.length;
  // Without a penalty the distance is only reported.
  if (coefficient === 0) return { row, meanKl };
  const sequences = row.sequences.map((sequence, index) => ({
    ...sequence,
    advantage: sequence.advantage.map(
      (value, at) => value + coefficient * (meanKl - (distances[index]?.[at] as number)),
    ),
  }));
  return { row: { ...row, sequences }, meanKl };
}
