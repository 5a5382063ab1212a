import type { LabelPlanDto } from '@hone/contracts';
import { labelPlan, MIN_LABELS, worstCasePlan } from '@hone/statistics';

import type { Criterion } from '../truth/criterion.js';
import type { LabelledCalls } from '../truth/labelled-calls.js';
import { NoScaleError } from './labels.errors.js';

type PlanFigures = Pick<LabelPlanDto, 'with_judge' | 'without_judge' | 'basis' | 'labels' | 'calls'>;
/** Of fewer calls none can be labelled and others left. */
const MIN_CALLS = 4;

/**
 * How many labels reach a half-width, by those that are there; of too few by the scale alone.
 *
 * @throws NoScaleError there are too few, and there is no scale
 */
export function planFigures(found: LabelledCalls, criterion: Criterion, width: number, level: number): PlanFigures {
  const labels = found.human.length;
  const calls = labels + found.others.count;
  const counts = { labels, calls, basis: labels < MIN_LABELS ? ('worst_case' as const) : ('labels' as const) };
  if (labels < MIN_LABELS && criterion.scale === null) throw new NoScaleError(criterion.name, MIN_LABELS);
  if (calls < MIN_CALLS) return { with_judge: null, without_judge: null, ...counts };
  const { withJudge, withoutJudge } =
    labels < MIN_LABELS
      ? worstCasePlan(criterion.scale as readonly [number, number], calls, width, level)
      : labelPlan(found, calls, width, level);
  return { with_judge: withJudge, without_judge: withoutJudge, ...counts };
}
