import { DEFAULT_LEVEL, type Interval } from '../data/interval.js';
import { wilsonInterval } from '../intervals/wilson.js';
import { gwetAc1 } from './ac1.js';
import type { ConfusionMatrix } from './confusion-matrix.js';
import { cohenKappa } from './kappa.js';

/** Labelled calls by verdict; people's is the truth. Integers >= 0. */
export interface BinaryCounts {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  readonly trueNegatives: number;
}

/** How well a judge of pass or fail agrees with people. */
export interface BinaryAgreement extends BinaryCounts {
  /** Labelled calls: the sum of the four counts. */
  readonly labels: number;
  /** Rate at which the judge passes what people pass (sensitivity), Wilson. Null: people passed no call. */
  readonly truePositiveRate: Interval | null;
  /** Rate at which the judge fails what people fail (specificity), Wilson. Null: people failed no call. */
  readonly trueNegativeRate: Interval | null;
  /** Rate of equal verdicts, Wilson. Null: no label. */
  readonly accuracy: Interval | null;
  /** Cohen's kappa. Null: undefined, see `cohenKappa`. */
  readonly kappa: Interval | null;
  /** Gwet's AC1. Null: fewer than two labels. */
  readonly ac1: Interval | null;
}

/**
 * Agreement of a judge with people on calls that were drawn with equal chances.
 *
 * @throws RangeError a count is no integer >= 0, or the level out of its range
 */
export function binaryAgreement(counts: BinaryCounts, level = DEFAULT_LEVEL): BinaryAgreement {
  const { truePositives, falsePositives, falseNegatives, trueNegatives } = counts;
  const labels = truePositives + falsePositives + falseNegatives + trueNegatives;
  const matrix = binaryMatrix(counts);
  const rate = (successes: number, trials: number) => (trials === 0 ? null : wilsonInterval(successes, trials, level));
  return {
    truePositives,
    falsePositives,
    falseNegatives,
    trueNegatives,
    labels,
    truePositiveRate: rate(truePositives, truePositives + falseNegatives),
    trueNegativeRate: rate(trueNegatives, trueNegatives + falsePositives),
    accuracy: rate(truePositives + trueNegatives, labels),
    kappa: cohenKappa(matrix, level),
    ac1: gwetAc1(matrix, level),
  };
}

/** The counts as a matrix of the verdicts 1 and 0. */
export function binaryMatrix(counts: BinaryCounts): ConfusionMatrix {
  return {
    categories: [1, 0],
    counts: [
      [counts.truePositives, counts.falseNegatives],
      [counts.falsePositives, counts.trueNegatives],
    ],
  };
}
