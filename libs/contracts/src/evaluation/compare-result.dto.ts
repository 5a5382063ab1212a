import { IsOptional } from 'class-validator';

import { Example } from '../schema/example.js';
import { Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsNumber, IsText, IsTextList, IsWord } from '../validation/rules.js';

export const METRIC_SOURCES = ['score', 'check', 'measure'] as const;
export type MetricSource = (typeof METRIC_SOURCES)[number];
export const METRIC_UNITS = ['ms', 'usd', 'tokens', 'characters'] as const;
export type MetricUnit = (typeof METRIC_UNITS)[number];
export const FIGURE_METHODS = [
  ...(['t', 'wilson', 'labels-only t', 'labels-only wilson', 'ppi++ t', 'ppi++ score'] as const),
  ...(['bca', 'percentile', 'constant'] as const),
] as const;
export type FigureMethod = (typeof FIGURE_METHODS)[number];
export const COMPARE_TESTS = ['mcnemar exact', 'wilcoxon exact', 'wilcoxon asymptotic', 'ppi++ t'] as const;
export type CompareTest = (typeof COMPARE_TESTS)[number];
export const COMPARE_VERDICTS = ['better', 'worse', 'unclear', 'too_few_pairs'] as const;
export type CompareVerdict = (typeof COMPARE_VERDICTS)[number];

/** A mean, or a difference of means, with what it was made of. */
export class ComparedFigureDto {
  /** The figure. Null: there is no row. */
  @IsOptional() @IsNumber() estimate!: number | null;
  /** Lower end of its interval. Null: there are too few rows. */
  @IsOptional() @IsNumber() low!: number | null;
  /** Upper end of its interval. Null: there are too few rows. */
  @IsOptional() @IsNumber() high!: number | null;
  /**
   * How the interval was made: of means `t`, or `wilson` where all values are 0 or 1; of differences `bca` (bootstrap),
   * `percentile` where BCa is undefined, `constant` where all are equal; with labels `ppi++ …` or `labels-only …`. Null:
   * there is none.
   */
  @IsOptional() @IsWord(FIGURE_METHODS) method!: FigureMethod | null;
  /** Rows that people labelled; of a difference, in both runs. */
  @IsInteger({ min: 0 }) labels!: number;
  /** Rows that the figure is of. */
  @IsInteger({ min: 0 }) calls!: number;
  /** Whether it is a judge's opinion that no label corrects: the interval ignores the judge's errors. */
  @IsFlag() judge_only!: boolean;
}

/** Whether a candidate is at most a margin worse than the baseline: a one-sided paired t test, of the difference that labels correct if they do. */
export class NonInferiorityDto {
  /** Largest loss that is accepted, in the metric's unit. */
  @IsNumber({ min: 0 }) margin!: number;
  /** One-sided bound of the mean difference on its worse side, at the level of the answer. */
  @IsNumber() bound!: number;
  /** Of a mean difference as bad as the margin, 0 to 1. It is not adjusted: a candidate passes only if all its margins hold. */
  @IsNumber({ min: 0, max: 1 }) p_value!: number;
  /** Whether the bound lies on the better side of the margin. */
  @IsFlag() is_non_inferior!: boolean;
}

export const COMPARED_PLAN_BASES = ['labels', 'verdicts'] as const;
export type ComparedPlanBasis = (typeof COMPARED_PLAN_BASES)[number];

/** How many rows people have to label, the answers of both runs, so that a difference is known within a width. */
export class ComparedLabelPlanDto {
  /** Half-width wanted, in the metric's unit. */
  @IsNumber() width!: number;
  /**
   * Rows in all, those that are labelled included, that reach the width together with the judge's verdicts (PPI++), drawn with
   * equal chances; at least 20, as fewer correct nothing. Null: not even all pairs but two do, or there are fewer than 20 pairs.
   */
  @IsOptional() @IsInteger({ min: 2 }) with_judge!: number | null;
  /** Rows in all that reach the width without the judge, at least 20. Null: not even all pairs do, or there are fewer than 20. */
  @IsOptional() @IsInteger({ min: 2 }) without_judge!: number | null;
  /**
   * `labels`: by the variance of the labelled rows' differences, and how far the judge follows them; `verdicts`: of fewer than 20
   * labelled rows that is unknown, so that labels are taken to vary as much as the judge's verdicts, and the judge to be of no use.
   */
  @IsWord(COMPARED_PLAN_BASES) basis!: ComparedPlanBasis;
  /** Pairs that people labelled in both runs. */
  @IsInteger({ min: 0 }) labels!: number;
  /** Pairs, labelled or not. */
  @IsInteger({ min: 0 }) pairs!: number;
}

/** Rows of both runs that a metric leaves out. */
export class LeftOutRowsDto {
  /** All predictions of the row that count failed, in one of the runs. */
  @IsInteger({ min: 0 }) failed!: number;
  /** One of the runs has no number: nothing, text, or a number beyond ±1e12. */
  @IsInteger({ min: 0 }) no_number!: number;
}

/** One metric of a candidate beside the baseline. */
export class MetricComparisonDto {
  /** As `scores.exact` or `latency_ms`. */
  @IsText() metric!: string;
  /** `score`: of a scorer that may be a judge; `check`: a fact; `measure`: measured by Hone. */
  @IsWord(METRIC_SOURCES) source!: MetricSource;
  /** Null: of a score, whatever its scorer means. */
  @IsOptional() @IsWord(METRIC_UNITS) unit!: MetricUnit | null;
  /** Whether more is better. */
  @IsFlag() higher_is_better!: boolean;
  /** Rows with a number in both runs, over which everything here is computed. */
  @IsInteger({ min: 0 }) pairs!: number;
  /** Rows of both runs that are not among them. */
  @Nested(() => LeftOutRowsDto) left_out!: LeftOutRowsDto;
  /** Mean of the baseline. */
  @Nested(() => ComparedFigureDto) baseline!: ComparedFigureDto;
  /** Mean of the candidate. */
  @Nested(() => ComparedFigureDto) candidate!: ComparedFigureDto;
  /** Mean of candidate minus baseline. Its ends are null where there are fewer than six pairs. */
  @Nested(() => ComparedFigureDto) difference!: ComparedFigureDto;
  /** Rows in which the candidate's value is better, whatever labels say; so are `ties` and `losses`. */
  @IsInteger({ min: 0 }) wins!: number;
  /** Rows in which both are equal. */
  @IsInteger({ min: 0 }) ties!: number;
  /** Rows in which the candidate is worse. */
  @IsInteger({ min: 0 }) losses!: number;
  /**
   * Test that `p_value` is of: McNemar where all values are 0 or 1, else Wilcoxon; `ppi++ t` where labels correct the
   * difference. Null: there are fewer than six pairs.
   */
  @IsOptional() @IsWord(COMPARE_TESTS) test!: CompareTest | null;
  /** Two-sided, of no difference, 0 to 1. Null: there is no test. */
  @IsOptional() @IsNumber({ min: 0, max: 1 }) p_value!: number | null;
  /** The same by Holm, over all metrics and candidates; of a slice, over all slices as well. Null: there is no test. */
  @IsOptional() @IsNumber({ min: 0, max: 1 }) p_adjusted!: number | null;
  /** Two-sided p-value of the paired t test, of values alone. Null: values are 0 or 1, too few, or all differences are equal and not 0. */
  @IsOptional() @IsNumber({ min: 0, max: 1 }) t_test_p_value!: number | null;
  /** Cohen's d_z, of values alone: mean difference divided by the differences' standard deviation. Null: they do not vary, or are too few. */
  @IsOptional() @IsNumber() effect_size!: number | null;
  /** Null: the body has no margin for the metric, or there are fewer than six pairs. */
  @IsOptional() @Nested(() => NonInferiorityDto) non_inferiority!: NonInferiorityDto | null;
  /**
   * Null: the body has no width for the metric, it is a fact, there are fewer than six pairs, or differences do not vary, so that
   * nothing can be planned by them.
   */
  @IsOptional() @Nested(() => ComparedLabelPlanDto) label_plan!: ComparedLabelPlanDto | null;
  /** `better` or `worse`: the adjusted p-value is below 1 − level; `unclear`: it is not; `too_few_pairs`: fewer than six. */
  @IsWord(COMPARE_VERDICTS) verdict!: CompareVerdict;
}

/** How often a judge of two answers found the candidate's better than the baseline's. */
export class WinRateDto {
  /** The scores that say so, as `scores.better`: those of a scorer of the kind `pairwise`. */
  @IsText() metric!: string;
  /** Rows in which the candidate's answers were better. Of several trials their mean counts. */
  @IsInteger({ min: 0 }) wins!: number;
  /** Rows in which neither was. */
  @IsInteger({ min: 0 }) ties!: number;
  /** Rows in which the baseline's were better. */
  @IsInteger({ min: 0 }) losses!: number;
  /** Share of wins, ties as halves, with its interval: above 0.5 the candidate is better, to that judge. */
  @Nested(() => ComparedFigureDto) win_rate!: ComparedFigureDto;
}

/** The rows of a slice. */
export class SliceComparisonDto {
  /** Name of the slice. */
  @IsText() name!: string;
  /** Rows of both runs that are in it. */
  @IsInteger({ min: 0 }) rows!: number;
  /** The metrics over these rows, in the order of the whole. */
  @NestedList(() => MetricComparisonDto) metrics!: MetricComparisonDto[];
}

/** A metric that is worse. */
export class RegressionDto {
  /** Name of the slice. Null: over all rows. */
  @IsOptional() @IsText() slice!: string | null;
  /** As `scores.exact`. */
  @IsText() metric!: string;
  /** Mean of candidate minus baseline. */
  @IsNumber() difference!: number;
  /** By Holm. */
  @IsNumber({ min: 0, max: 1 }) p_adjusted!: number;
}

/** How the rows of two runs meet. */
export class PairedRowsDto {
  /** Rows with predictions that count in both. */
  @IsInteger({ min: 0 }) paired!: number;
  /** Rows that the candidate lacks. */
  @IsInteger({ min: 0 }) baseline_only!: number;
  /** Rows that the baseline lacks. */
  @IsInteger({ min: 0 }) candidate_only!: number;
  /** Digests of the first twenty rows that the candidate lacks. */
  @IsTextList() baseline_only_digests!: string[];
  /** Digests of the first twenty rows that the baseline lacks. */
  @IsTextList() candidate_only_digests!: string[];
}

/** A candidate beside the baseline. */
export class RunComparisonDto {
  /** Id of the run that the baseline is compared with. */
  @IsText() candidate!: string;
  /** How their rows meet. */
  @Nested(() => PairedRowsDto) rows!: PairedRowsDto;
  /** Scores first, by name, then what Hone measured. */
  @NestedList(() => MetricComparisonDto) metrics!: MetricComparisonDto[];
  /** What judges of two answers found that compared the candidate's with the baseline's, by name. */
  @NestedList(() => WinRateDto) win_rates!: WinRateDto[];
  /** The slices, in the order of the body. */
  @NestedList(() => SliceComparisonDto) slices!: SliceComparisonDto[];
  /** What is worse: metrics over all rows first, then slices by name. */
  @NestedList(() => RegressionDto) regressions!: RegressionDto[];
}

/** A run, or a set of calls, and what it has of its rows. */
export class ComparedRunDto {
  /** Id of its call; of a set of calls its name. */
  @IsText() id!: string;
  /** What its call is called; of a set of calls its name. */
  @IsText() name!: string;
  /** Different rows of its evaluation's dataset. Null: the run names no evaluation or dataset that is stored. */
  @IsOptional() @IsInteger({ min: 0 }) dataset_rows!: number | null;
  /** Rows with predictions that count, none of which failed. */
  @IsInteger({ min: 0 }) predicted!: number;
  /** Rows with a prediction that counts and failed. */
  @IsInteger({ min: 0 }) failed!: number;
  /** Rows of the dataset without a prediction. Null: `dataset_rows` is null, or its predictions name no rows of it. */
  @IsOptional() @IsInteger({ min: 0 }) missing!: number | null;
  /** Predictions that count, or calls. */
  @IsInteger({ min: 0 }) trials!: number;
  /** Predictions that do not count: newer ones of the row replaced them. */
  @IsInteger({ min: 0 }) replaced!: number;
}

const FIGURE = { method: 'wilson', labels: 0, calls: 200, judge_only: true };
const METRIC = {
  ...{ metric: 'scores.helpful', source: 'score', unit: null, higher_is_better: true, pairs: 200 },
  left_out: { failed: 2, no_number: 1 },
  baseline: { estimate: 0.71, low: 0.644, high: 0.768, ...FIGURE },
  candidate: { estimate: 0.79, low: 0.728, high: 0.841, ...FIGURE },
  difference: { estimate: 0.08, low: 0.015, high: 0.145, ...FIGURE, method: 'bca' },
  ...{ wins: 30, ties: 156, losses: 14, test: 'mcnemar exact', p_value: 0.0226, p_adjusted: 0.0226 },
  ...{ t_test_p_value: null, effect_size: 0.172, non_inferiority: null, label_plan: null, verdict: 'better' },
};

/** Answer of `POST /evaluation/compare`. */
@Example({
  ...{ level: 0.95, seed: 0, resamples: 10_000 },
  runs: ['019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d', '019bc11a-0200-7c41-8e0f-6a1b2c3d4e5f'].map((id) => ({
    ...{ id, name: 'Evaluation.evaluate', dataset_rows: 203, predicted: 201, failed: 2, missing: 0 },
    ...{ trials: 203, replaced: 0 },
  })),
  comparisons: [
    {
      candidate: '019bc11a-0200-7c41-8e0f-6a1b2c3d4e5f',
      rows: {
        ...{ paired: 203, baseline_only: 0, candidate_only: 0 },
        ...{ baseline_only_digests: [], candidate_only_digests: [] },
      },
      metrics: [METRIC],
      win_rates: [
        {
          ...{ metric: 'scores.better', wins: 90, ties: 61, losses: 52 },
          win_rate: { ...FIGURE, estimate: 0.594, low: 0.541, high: 0.646, method: 't', calls: 203 },
        },
      ],
      ...{ slices: [], regressions: [] },
    },
  ],
  ignored_scores: ['scores.reason'],
})
export class ComparisonDto {
  /** Share of samples whose intervals hold the true figure. */
  @IsNumber() level!: number;
  /** Of the bootstrap's random numbers. */
  @IsInteger({ min: 0 }) seed!: number;
  /** Samples that each bootstrap interval was made of: 10,000, or fewer, at least 1,000, of much data. */
  @IsInteger({ min: 0 }) resamples!: number;
  /** The runs in the order of the body, the baseline first. */
  @NestedList(() => ComparedRunDto) runs!: ComparedRunDto[];
  /** Each candidate beside the baseline, in the order of the body. */
  @NestedList(() => RunComparisonDto) comparisons!: RunComparisonDto[];
  /** Scores that were not compared, at most 50: no numbers, or not in the baseline and a candidate. */
  @IsTextList() ignored_scores!: string[];
}
