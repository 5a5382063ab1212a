import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Criterion } from '../truth/criterion.js';
import { chancesOf, type DrawableCall } from './label-draw.js';
import { uncertaintiesOf } from './uncertainty.js';

/** How far the sum of chances may be from the labels, relative to them. */
const TOLERANCE = 1e-9;
/** Of which every third halves the interval; most draws need ten. */
const MAX_STEPS = 60;

/**
 * The size of a draw of one stratum whose chances add up to so many labels over the calls that have none: also calls that
 * have a label are drawn, so that the chance of each call is known, but they add nothing.
 *
 * @param labels above 0
 * @returns `labels` up to the number of calls
 */
export async function sizeOfDraw<Call extends DrawableCall>(
  calls: readonly Call[],
  isLabelled: (call: Call) => boolean,
  criterion: Criterion,
  labels: number,
): Promise<number> {
  const unlabelled = calls.flatMap((call, at) => (isLabelled(call) ? [] : [at]));
  if (unlabelled.length === calls.length) return labels;
  if (labels >= unlabelled.length) return calls.length;
  const uncertainties = uncertaintiesOf(calls, criterion).values;
  const excess = (size: number): number => {
    const chances = chancesOf(uncertainties, size);
    return unlabelled.reduce((sum, at) => sum + (chances[at] as number), 0) - labels;
  };
  // The sum grows with the size: false position, with a bisection at every third step.
  let [low, high] = [
    { size: labels, excess: excess(labels) },
    { size: calls.length, excess: unlabelled.length - labels },
  ];
  for (let step = 0; step < MAX_STEPS && low.excess < -TOLERANCE * labels; step++) {
    // Ten thousand calls take some milliseconds: other requests have their turn in between.
    await nextTurn();
    const share = step % 3 === 2 ? 0.5 : -low.excess / (high.excess - low.excess);
    const size = low.size + share * (high.size - low.size);
    const found = { size, excess: excess(size) };
    if (found.excess <= TOLERANCE * labels) low = found;
    else high = found;
  }
  return low.size;
}
