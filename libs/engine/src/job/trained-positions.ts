import type { PlannedSequence } from '../plan/plan.js';

/** Indices of the trained tokens of a planned sequence, ascending. */
export function trainedPositions({ mask }: Pick<PlannedSequence, 'mask'>): number[] {
  return mask.flatMap((trained, at) => (trained === 1 ? [at] : []));
}
