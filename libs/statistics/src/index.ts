/** `@hone/statistics`: how well a judge agrees with people, means corrected by labels, and paired comparisons. */
export { gwetAc1 } from './agreement/ac1.js';
export { type BinaryAgreement, binaryAgreement, type BinaryCounts } from './agreement/binary-agreement.js';
export { type ConfusionMatrix, confusionMatrix } from './agreement/confusion-matrix.js';
export { partialCorrelation, pearson } from './agreement/correlation.js';
export { cohenKappa } from './agreement/kappa.js';
export { bcaInterval, bootstrapMean, type BootstrapOptions } from './comparison/bca.js';
export { comparePairs, type ComparisonOptions, type PairedComparison } from './comparison/compare-pairs.js';
export {
  compareTable,
  MIN_PAIRS,
  type TableComparison,
  type TableMetric,
  type TableOptions,
} from './comparison/compare-table.js';
export { holmAdjust } from './comparison/holm.js';
export { mcnemarExact } from './comparison/mcnemar.js';
export { type NonInferiority, nonInferiority } from './comparison/non-inferiority.js';
export { type WilcoxonMethod, wilcoxonSignedRank, type WilcoxonTest } from './comparison/wilcoxon.js';
export { DEFAULT_LEVEL, type Interval } from './data/interval.js';
export { type Moments, momentsOf, NO_VALUES, poolMoments } from './data/moments.js';
export { effectiveCount } from './data/weights.js';
export { binomialCdf } from './distributions/binomial.js';
export { normalCdf, normalQuantile } from './distributions/normal.js';
export { studentTCdf, studentTQuantile, studentTSurvival } from './distributions/student-t.js';
export { weightedRate } from './intervals/weighted-rate.js';
export { wilsonInterval } from './intervals/wilson.js';
export {
  differencePlan,
  type LabelPlan,
  labelPlan,
  type PlanPilot,
  variancePlan,
  worstCasePlan,
} from './labelling/label-plan.js';
export { CHANCE_FLOOR, samplingChances } from './labelling/sampling-chances.js';
export { estimateMean, type JudgedCalls, MIN_LABELS } from './means/estimate-mean.js';
export type { LabelledPairs, MeanEstimate, MeanMethod } from './means/mean-estimate.js';
export { ppiDifference, type PpiDifference } from './means/ppi-difference.js';
export { ppiMean } from './means/ppi-mean.js';
export { roganGladen } from './means/rogan-gladen.js';
export { judgeOnlyMean, labelsOnlyMean } from './means/single-source-means.js';
export { weightedMean, type WeightedPairs } from './means/weighted-mean.js';
export { Xoshiro128 } from './random/xoshiro128.js';
export { asymptoticLook } from './sequences/asymptotic-sequence.js';
export { BettingSequence } from './sequences/betting-sequence.js';
export { correctedDifferences, type JudgedPairs } from './sequences/corrected-differences.js';
export type { SequenceLook } from './sequences/sequence-look.js';
