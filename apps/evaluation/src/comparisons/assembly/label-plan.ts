import type { ComparedLabelPlanDto } from '@hone/contracts';
import { differencePlan, MIN_LABELS, MIN_PAIRS, momentsOf, type TableComparison, variancePlan } from '@hone/statistics';

/** How many rows people have to label for a difference; null: there are too few pairs, or they do not vary. */
export function labelPlanOf(compared: TableComparison, width: number, level: number): ComparedLabelPlanDto | null {
  const { baseline, candidate, baselineLabels, candidateLabels } = compared;
  const pairs = baseline.length;
  if (pairs < MIN_PAIRS) return null;
  const verdicts = candidate.map((value, at) => value - (baseline[at] as number));
  const labelled = verdicts.flatMap((_verdict, at) =>
    baselineLabels[at] === null || candidateLabels[at] === null ? [] : at,
  );
  const isEnough = labelled.length >= MIN_LABELS;
  const human = labelled.map((at) => (candidateLabels[at] as number) - (baselineLabels[at] as number));
  const { variance } = momentsOf(isEnough ? human : verdicts);
  if (variance === 0) return null;
  const { withJudge, withoutJudge } = isEnough
    ? differencePlan({ human, judge: labelled.map((at) => verdicts[at] as number) }, pairs, width, level)
    : variancePlan(variance, pairs, width, level);
  return {
    ...{ width, with_judge: correcting(withJudge, pairs), without_judge: correcting(withoutJudge, pairs) },
    ...{ basis: isEnough ? 'labels' : 'verdicts', labels: labelled.length, pairs },
  };
}

/** Fewer labels correct nothing. */
const correcting = (labels: number | null, pairs: number): number | null =>
  labels === null || pairs < MIN_LABELS ? null : Math.max(labels, MIN_LABELS);
