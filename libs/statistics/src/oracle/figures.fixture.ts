import type * as Statistics from '../index.js';

/** A random table, as `.ci/python/statistics/tables.py` makes it. */
export interface OracleTable {
  /** Labels, verdicts and chances of labelled calls, and verdicts of the others. */
  readonly human: number[];
  readonly judge: number[];
  readonly chances: number[];
  readonly others: number[];
  readonly isRate: boolean;
  /** What is held constant in the partial correlation of labels and verdicts. */
  readonly controls: number[][];
  /** Values of paired rows, and the means of resamples of their differences. */
  readonly baseline: number[];
  readonly candidate: number[];
  readonly replicates: number[];
  readonly margin: number;
  readonly higherIsBetter: boolean;
  readonly pValues: number[];
  readonly level: number;
  readonly halfWidth: number;
  /** Uncertainties of calls, and how many labels are wanted. */
  readonly uncertainties: number[];
  readonly labels: number;
  /** Metrics of two runs by row, and the means of resamples of the differences of their pairs. */
  readonly metrics: {
    readonly values: (number | null)[][];
    readonly replicates: number[];
    readonly higherIsBetter: boolean;
  }[];
  /** Arguments of distributions. */
  readonly share: number;
  readonly degrees: number;
  readonly trials: number;
  readonly successes: number;
}

/** Of verdicts; continuous ones have no kappa. */
const MAX_CATEGORIES = 10;

/** Name -> figure; null: undefined. */
export type Figures = Record<string, number | null>;

/** All figures of a table by this library, by the names that `.ci/python/statistics/oracles.py` gives to theirs. */
export function figuresOf(statistics: typeof Statistics, table: OracleTable): Figures {
  return {
    ...distributionFigures(statistics, table),
    ...meanFigures(statistics, table),
    ...agreementFigures(statistics, table),
    ...comparisonFigures(statistics, table),
    ...labellingFigures(statistics, table),
    ...runFigures(statistics, table),
  };
}

type Part = (statistics: typeof Statistics, table: OracleTable) => Figures;

const distributionFigures: Part = (statistics, { share, degrees, trials, successes }) => {
  const t = statistics.studentTQuantile(share, degrees);
  return {
    normal_quantile: statistics.normalQuantile(share),
    normal_cdf: statistics.normalCdf(t),
    t_quantile: t,
    t_cdf: statistics.studentTCdf(1.5 * t + 0.1, degrees),
    binomial_cdf: statistics.binomialCdf(successes, trials, share),
  };
};

const meanFigures: Part = (statistics, table) => {
  const { human, judge, chances, level, isRate } = table;
  const others = statistics.momentsOf(table.others);
  const ppi = statistics.ppiMean({ human, judge }, others, level);
  const weighted = statistics.weightedMean({ human, judge, chances }, others, level);
  return {
    ppi_lambda: ppi.lambda,
    ppi_standard_error: ppi.standardError,
    ...intervalFigures('ppi', ppi),
    weighted_lambda: weighted.lambda,
    weighted_standard_error: weighted.standardError,
    ...intervalFigures('weighted', weighted),
    ...intervalFigures('labels', statistics.labelsOnlyMean(human, human.length, level)),
    ...intervalFigures('judge', statistics.judgeOnlyMean(others, isRate, level)),
  };
};

const agreementFigures: Part = (statistics, table) => {
  const { human, judge, controls, level } = table;
  const categories = [...new Set([...human, ...judge])].sort((a, b) => a - b);
  const isNominal = categories.length > 1 && categories.length <= MAX_CATEGORIES;
  const matrix = isNominal ? statistics.confusionMatrix(human, judge, categories) : null;
  return {
    ...intervalFigures('kappa', matrix && statistics.cohenKappa(matrix, level)),
    ...intervalFigures('ac1', matrix && statistics.gwetAc1(matrix, level)),
    ...intervalFigures('pearson', statistics.pearson(human, judge, level)),
    ...intervalFigures('partial', statistics.partialCorrelation(human, judge, controls, level)),
    ...(table.isRate ? rateFigures(statistics, table) : {}),
  };
};

const rateFigures: Part = (statistics, { human, judge, others, level }) => {
  const count = (truth: number, verdict: number) =>
    human.filter((label, at) => label === truth && judge[at] === verdict).length;
  const counts = {
    truePositives: count(1, 1),
    falsePositives: count(0, 1),
    falseNegatives: count(1, 0),
    trueNegatives: count(0, 0),
  };
  const agreement = statistics.binaryAgreement(counts, level);
  const verdicts = [...judge, ...others];
  const passed = verdicts.filter((verdict) => verdict === 1).length;
  return {
    ...intervalFigures('true_positive_rate', agreement.truePositiveRate),
    ...intervalFigures('true_negative_rate', agreement.trueNegativeRate),
    ...intervalFigures('accuracy', agreement.accuracy),
    ...intervalFigures('rogan_gladen', statistics.roganGladen(passed, verdicts.length, counts, level)),
  };
};

const comparisonFigures: Part = (statistics, table) => {
  const { baseline, candidate, replicates, margin, higherIsBetter, level } = table;
  const differences = candidate.map((value, at) => value - (baseline[at] as number));
  const comparison = statistics.comparePairs(baseline, candidate, { level, resamples: 100 });
  const nonInferiority = statistics.nonInferiority(differences, margin, higherIsBetter, level);
  const [wins, losses] = [1, -1].map((sign) => differences.filter((value) => Math.sign(value) === sign).length);
  const adjusted = statistics.holmAdjust(table.pValues);
  return {
    ...intervalFigures('bca', statistics.bcaInterval(differences, replicates, level)),
    difference: comparison.difference.estimate,
    comparison_p: comparison.pValue,
    comparison_t_p: comparison.tTestPValue,
    comparison_effect: comparison.effectSize,
    comparison_ties: comparison.ties,
    mcnemar_p: statistics.mcnemarExact(wins as number, losses as number),
    wilcoxon_exact_p: statistics.wilcoxonSignedRank(differences, 'exact').pValue,
    wilcoxon_asymptotic_p: statistics.wilcoxonSignedRank(differences, 'asymptotic').pValue,
    non_inferiority_p: nonInferiority.pValue,
    non_inferiority_bound: nonInferiority.bound,
    ...Object.fromEntries(adjusted.map((p, at) => [`holm_${at}`, p])),
  };
};

const labellingFigures: Part = (statistics, { human, judge, others, level, halfWidth, uncertainties, labels }) => {
  const calls = human.length + others.length;
  const plan = statistics.labelPlan({ human, judge }, calls, halfWidth, level);
  const chances = statistics.samplingChances(uncertainties, labels);
  return {
    plan_with_judge: plan.withJudge,
    plan_without_judge: plan.withoutJudge,
    ...Object.fromEntries(chances.map((chance, at) => [`chance_${at}`, chance])),
  };
};

const TESTS = { 'mcnemar exact': 1, 'wilcoxon exact': 2, 'wilcoxon asymptotic': 3 };

/** The whole comparison of two runs: which rows are pairs, and the figures of each metric. */
const runFigures: Part = (statistics, { metrics, level }) => {
  const compared = statistics.compareTable(
    metrics.map(({ values, higherIsBetter }, at) => ({
      ...{ name: String(at), values, labels: null, higherIsBetter, margin: null },
    })),
    { level, resamples: 100 },
  );
  const all = compared.map(({ baseline, candidate, comparison, adjustedPValue }, at): Figures => {
    const differences = candidate.map((value, pair) => value - (baseline[pair] as number));
    const replicates = metrics[at]?.replicates ?? [];
    return {
      pairs: baseline.length,
      test: comparison && TESTS[comparison.test],
      p: comparison && comparison.pValue,
      adjusted_p: adjustedPValue,
      t_p: comparison && comparison.tTestPValue,
      effect: comparison && comparison.effectSize,
      ties: comparison && comparison.ties,
      baseline_mean: comparison && comparison.baselineMean,
      candidate_mean: comparison && comparison.candidateMean,
      ...intervalFigures('difference', comparison && statistics.bcaInterval(differences, replicates, level)),
    };
  });
  return Object.fromEntries(
    all.flatMap((figures, at) => Object.entries(figures).map(([name, figure]) => [`run_${at}_${name}`, figure])),
  );
};

function intervalFigures(name: string, interval: Statistics.Interval | null): Figures {
  const { estimate = null, low = null, high = null } = interval ?? {};
  return { [`${name}_estimate`]: estimate, [`${name}_low`]: low, [`${name}_high`]: high };
}
