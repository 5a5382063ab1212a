import { MAX_LABEL_QUEUE_SIZE } from '@hone/contracts';
import { MIN_LABELS } from '@hone/statistics';

import type { Criterion } from '../truth/criterion.js';
import type { Candidate } from './candidates.repository.js';
import { drawPlan } from './draw-plan.js';
import type { LabelledCandidates } from './labelled-candidates.js';
import { NothingToDrawError, WidthOutOfReachError } from './labels.errors.js';
import { planFigures } from './plan-figures.js';
import { uncertaintiesOf } from './uncertainty.js';

/**
 * Labels that a queue has to add to reach a half-width, by those that are there; of fewer than 20 by the worst case of the
 * scale. Those of calls that label queues drew before count.
 *
 * @param found judged calls, of which `labelled` is made
 * @throws NoScaleError, NothingToDrawError, WidthOutOfReachError
 */
export function labelsToAdd(
  found: readonly Candidate[],
  labelled: LabelledCandidates,
  criterion: Criterion,
  width: number,
  level: number,
): number {
  const { calls } = labelled;
  const most = MAX_LABEL_QUEUE_SIZE + calls.drawn;
  const needed =
    calls.human.length < MIN_LABELS
      ? planFigures(calls, criterion, width, level).with_judge
      : planByDoubts(found, labelled, criterion, width, level, most);
  if (needed === null || needed > most) throw new WidthOutOfReachError(width, MAX_LABEL_QUEUE_SIZE);
  if (needed > calls.drawn) return needed - calls.drawn;
  throw new NothingToDrawError(`The width needs ${needed} labels, and ${calls.drawn} calls of label queues have one.`);
}

function planByDoubts(
  found: readonly Candidate[],
  { calls, used }: LabelledCandidates,
  criterion: Criterion,
  width: number,
  level: number,
  most: number,
): number | null {
  const { values } = uncertaintiesOf(found, criterion);
  const uncertaintyOf = new Map(found.map((call, at) => [call, values[at] as number]));
  const uncertainties = used.map((call) => uncertaintyOf.get(call) as number);
  return drawPlan({ ...calls, uncertainties }, values, width, level, most);
}
