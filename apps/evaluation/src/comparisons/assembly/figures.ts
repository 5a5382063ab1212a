import type { ComparedFigureDto, FigureMethod, MetricSource } from '@hone/contracts';
import { estimateMean, judgeOnlyMean, MIN_LABELS, momentsOf, type TableComparison } from '@hone/statistics';

/** Of fewer values no variance is known. */
const MIN_VALUES = 2;

/** The mean of a run over its pairs; labels correct what may be a judge's opinion. */
export function meanFigure(
  values: readonly number[],
  labels: readonly (number | null)[],
  source: MetricSource,
  level: number,
): ComparedFigureDto {
  const labelled = values.flatMap((_value, at) => (labels[at] === null ? [] : at));
  const counts = { labels: labelled.length, calls: values.length };
  const isOpinion = source === 'score';
  if (values.length < MIN_VALUES)
    return { estimate: values[0] ?? null, low: null, high: null, method: null, ...counts, judge_only: isOpinion };
  if (isOpinion && labelled.length >= MIN_LABELS)
    return { ...correctedMean(values, labels, labelled, level), ...counts };
  const { estimate, low, high, method } = judgeOnlyMean(momentsOf(values), isBinary(values), level);
  return {
    estimate,
    low,
    high,
    method: method.replace('judge-only ', '') as FigureMethod,
    ...counts,
    judge_only: isOpinion,
  };
}

function correctedMean(
  values: readonly number[],
  labels: readonly (number | null)[],
  labelled: readonly number[],
  level: number,
) {
  const human = labelled.map((at) => labels[at] as number);
  const judge = labelled.map((at) => values[at] as number);
  const others = values.filter((_value, at) => labels[at] === null);
  const isRate = [human, judge, others].every(isBinary);
  const { estimate, low, high, method } = estimateMean({ human, judge, others: momentsOf(others), isRate }, level);
  return { estimate, low, high, method: method as FigureMethod, judge_only: false };
}

/** The difference, candidate minus baseline. */
export function differenceFigure(compared: TableComparison, source: MetricSource): ComparedFigureDto {
  const { baseline, candidate, baselineLabels, candidateLabels, comparison, corrected } = compared;
  const calls = baseline.length;
  const labels = baselineLabels.filter((label, at) => label !== null && candidateLabels[at] !== null).length;
  const isOpinion = source === 'score';
  if (corrected && isOpinion) {
    const { estimate, low, high, method } = corrected;
    return { estimate, low, high, method, labels, calls, judge_only: false };
  }
  if (comparison) {
    const { estimate, low, high, method } = comparison.difference;
    return { estimate, low, high, method: method as FigureMethod, labels, calls, judge_only: isOpinion };
  }
  const sum = candidate.reduce((total, value, at) => total + value - (baseline[at] as number), 0);
  const estimate = calls === 0 ? null : sum / calls;
  return { estimate, low: null, high: null, method: null, labels, calls, judge_only: isOpinion };
}

const isBinary = (values: readonly number[]): boolean => values.every((value) => value === 0 || value === 1);
