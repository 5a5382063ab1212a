import type { GateBasis } from '@hone/contracts';

/** By what a gate decides. */
export interface GateRules {
  /** Least gain that is worth a promotion, in shares of the metric's scale. */
  readonly minGain: number;
  /** Chance that the gate promotes a candidate which is no better, however often it is looked at. */
  readonly alpha: number;
  /** Pairs from one look to the next. */
  readonly lookEvery: number;
  readonly maxPairs: number;
  /**
   * What the differences are made of: `fact` scores that are nobody's opinion; `people` labels of every pair; `corrected` a judge's
   * scores, corrected by labels of pairs drawn by chance; `judge` its scores alone.
   */
  readonly basis: GateBasis;
  /** Chance of each pair to be judged by people, too. */
  readonly labelShare: number;
  readonly guards: readonly GuardRule[];
  /** Whether an opinion that nothing corrects may decide. */
  readonly acceptsUncorrected: boolean;
}

/** Something that must not become worse by more than a margin. */
export interface GuardRule {
  /** As `length`, or the name of a slice. */
  readonly name: string;
  /** Which values of pairs it looks at. */
  readonly of: string;
  /** Largest loss that is accepted: of the baseline's mean for `ratio`, of the scale for `share`, else in the unit of the values. */
  readonly margin: number;
  /**
   * `ratio`: the candidate's mean to the baseline's; `slow`: answers that take more than twice as long as 95 % of the baseline's first ones; `share`: differences within −1 to 1; `number`: of any size; `slice`: the metric
   * itself in a slice; `reward`: how far the reward of the training gains more than the metric.
   */
  readonly form: 'ratio' | 'slow' | 'share' | 'number' | 'slice' | 'reward';
  /** Whether less is better. */
  readonly lowerIsBetter: boolean;
  /** Whether a promotion needs proof that it holds. Of the others it is enough that nothing shows the opposite. */
  readonly needsProof: boolean;
}
