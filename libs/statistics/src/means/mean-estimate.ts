import type { Interval } from '../data/interval.js';

/** Estimator, and the construction of its interval. */
export type MeanMethod =
  | 'ppi++ t'
  | 'ppi++ score'
  | 'active-inference t'
  | 'labels-only t'
  | 'labels-only wilson'
  | 'judge-only t'
  | 'judge-only wilson';

/** The mean of a criterion over calls, with what it was made of. */
export interface MeanEstimate extends Interval {
  readonly method: MeanMethod;
  /** Calls with a person's label. */
  readonly labels: number;
  /** All calls: labelled, and judged alone. */
  readonly calls: number;
  /** No label corrects it: the interval ignores the judge's errors. Show it as "uncorrected". */
  readonly judgeOnly: boolean;
  /** Standard error of the estimate. */
  readonly standardError: number;
  /** Weight of the judge, 0 (labels alone) to 1. Null: the estimator has none. */
  readonly lambda: number | null;
}

/** Verdicts of the same calls, in the same order. Finite numbers: 0 or 1, or ratings. */
export interface LabelledPairs {
  /** People's. */
  readonly human: readonly number[];
  /** The judge's. */
  readonly judge: readonly number[];
}
