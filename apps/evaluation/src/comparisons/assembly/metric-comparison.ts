import type {
  CompareVerdict,
  LeftOutRowsDto,
  MetricComparisonDto,
  NonInferiorityDto,
  RegressionDto,
  SliceComparisonDto,
} from '@hone/contracts';
import type { NonInferiority, TableComparison } from '@hone/statistics';

import type { ComparedMetric } from './compared-metrics.js';
import { differenceFigure, meanFigure } from './figures.js';
import { labelPlanOf } from './label-plan.js';

/** A metric before its p-value is adjusted over all of its family. */
export type UnjudgedMetric = Omit<MetricComparisonDto, 'p_adjusted' | 'verdict'>;

export function toMetric(
  compared: TableComparison,
  { name, source, unit, higherIsBetter, width }: ComparedMetric,
  leftOut: LeftOutRowsDto,
  level: number,
): UnjudgedMetric {
  const { baseline, candidate, baselineLabels, candidateLabels, comparison, corrected, nonInferiority } = compared;
  const differences = candidate.map((value, at) => value - (baseline[at] as number));
  const higher = differences.filter((difference) => difference > 0).length;
  const lower = differences.filter((difference) => difference < 0).length;
  return {
    ...{ metric: name, source, unit, higher_is_better: higherIsBetter, pairs: baseline.length, left_out: leftOut },
    baseline: meanFigure(baseline, baselineLabels, source, level),
    candidate: meanFigure(candidate, candidateLabels, source, level),
    difference: differenceFigure(compared, source),
    wins: higherIsBetter ? higher : lower,
    ties: baseline.length - higher - lower,
    losses: higherIsBetter ? lower : higher,
    test: corrected ? corrected.method : (comparison?.test ?? null),
    p_value: compared.pValue,
    t_test_p_value: comparison?.tTestPValue ?? null,
    effect_size: comparison?.effectSize ?? null,
    non_inferiority: nonInferiority && toNonInferiority(nonInferiority),
    label_plan: width === null ? null : labelPlanOf(compared, width, level),
  };
}

const toNonInferiority = ({ margin, bound, pValue, isNonInferior }: NonInferiority): NonInferiorityDto => ({
  ...{ margin, bound, p_value: pValue, is_non_inferior: isNonInferior },
});

/** The metric with its adjusted p-value, and what that says. */
export function judged(metric: UnjudgedMetric, adjusted: number | null, level: number): MetricComparisonDto {
  return { ...metric, p_adjusted: adjusted, verdict: verdictOf(metric, adjusted, level) };
}

function verdictOf(
  { difference, higher_is_better }: UnjudgedMetric,
  adjusted: number | null,
  level: number,
): CompareVerdict {
  if (adjusted === null) return 'too_few_pairs';
  const gain = (difference.estimate ?? 0) * (higher_is_better ? 1 : -1);
  if (adjusted >= 1 - level || gain === 0) return 'unclear';
  return gain > 0 ? 'better' : 'worse';
}

/** What is worse, over all rows and in each slice. */
export function regressionsOf(
  metrics: readonly MetricComparisonDto[],
  slices: readonly SliceComparisonDto[],
): RegressionDto[] {
  const worse = (slice: string | null, of: readonly MetricComparisonDto[]): RegressionDto[] =>
    of
      .filter(({ verdict }) => verdict === 'worse')
      .map(({ metric, difference, p_adjusted }) => ({
        ...{ slice, metric, difference: difference.estimate as number, p_adjusted: p_adjusted as number },
      }));
  return [...worse(null, metrics), ...slices.flatMap(({ name, metrics: of }) => worse(name, of))];
}
