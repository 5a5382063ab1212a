import { checkPairs, isBinary } from '../data/checks.js';
import type { Interval } from '../data/interval.js';
import { meanOf, momentsOf } from '../data/moments.js';
import { studentTSurvival } from '../distributions/student-t.js';
import { bootstrapMean, type BootstrapOptions, isConstant } from './bca.js';
import { mcnemarExact } from './mcnemar.js';
import { EXACT_UP_TO, wilcoxonSignedRank } from './wilcoxon.js';

/** A candidate beside a baseline on the same rows. */
export interface PairedComparison {
  readonly pairs: number;
  readonly baselineMean: number;
  readonly candidateMean: number;
  /** Mean of candidate minus baseline, with its bootstrap interval. */
  readonly difference: Interval;
  /** Test that produced `pValue`: McNemar if all values are 0 or 1, else Wilcoxon. */
  readonly test: 'mcnemar exact' | 'wilcoxon exact' | 'wilcoxon asymptotic';
  /** Two-sided, of no difference, 0 to 1; adjust it with `holmAdjust` over metrics. */
  readonly pValue: number;
  /** Two-sided p-value of the paired t test. Null: values are 0 or 1, or all differences are equal and not 0. */
  readonly tTestPValue: number | null;
  /** Cohen's d_z: the mean difference divided by the differences' standard deviation. Null: they do not vary. */
  readonly effectSize: number | null;
  /** Pairs in which the candidate is better, equal, worse. */
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
}

/** How pairs are compared. */
export interface ComparisonOptions extends BootstrapOptions {
  /** False for cost, latency, length. Default true. */
  readonly higherIsBetter?: boolean;
}

/**
 * Compares a metric of two runs by row, as `mlflow.genai.compare_evaluations` of MLflow 3.18 does: `bootstrapMean` of
 * the differences, and a test by the values. Values that are all 0 or 1 have McNemar's test (exact at any size; MLflow
 * approximates it from 25 differing pairs on), others Wilcoxon's, exact up to 50 differences that are not 0.
 *
 * @param baseline value of each row, at least 2
 * @param candidate values of the same rows, in the same order
 * @throws RangeError too few values, one that is not finite, or an option out of its range
 */
export function comparePairs(
  baseline: readonly number[],
  candidate: readonly number[],
  options: ComparisonOptions = {},
): PairedComparison {
  checkPairs(['baseline', 'candidate'], baseline, candidate, 2);
  const differences = candidate.map((value, at) => value - (baseline[at] as number));
  const higher = differences.filter((difference) => difference > 0).length;
  const lower = differences.filter((difference) => difference < 0).length;
  const isRate = isBinary(baseline) && isBinary(candidate);
  const { higherIsBetter = true } = options;
  return {
    pairs: baseline.length,
    baselineMean: meanOf(baseline),
    candidateMean: meanOf(candidate),
    difference: bootstrapMean(differences, options),
    ...(isRate ? rateTest(higher, lower) : valueTest(differences)),
    effectSize: isConstant(differences) ? null : effectSize(differences),
    wins: higherIsBetter ? higher : lower,
    ties: baseline.length - higher - lower,
    losses: higherIsBetter ? lower : higher,
  };
}

type Test = Pick<PairedComparison, 'test' | 'pValue' | 'tTestPValue'>;

function rateTest(higher: number, lower: number): Test {
  return { test: 'mcnemar exact', pValue: mcnemarExact(higher, lower), tTestPValue: null };
}

function valueTest(differences: readonly number[]): Test {
  const nonZero = differences.filter((difference) => difference !== 0).length;
  const { method, pValue } = wilcoxonSignedRank(differences, nonZero <= EXACT_UP_TO ? 'exact' : 'asymptotic');
  return { test: `wilcoxon ${method}`, pValue, tTestPValue: tTestPValue(differences, nonZero) };
}

function tTestPValue(differences: readonly number[], nonZero: number): number | null {
  if (isConstant(differences)) return nonZero === 0 ? 1 : null;
  const { count, mean, variance } = momentsOf(differences);
  return 2 * studentTSurvival(Math.abs(mean) / Math.sqrt(variance / count), count - 1);
}

function effectSize(differences: readonly number[]): number {
  const { mean, variance } = momentsOf(differences);
  return mean / Math.sqrt(variance);
}
