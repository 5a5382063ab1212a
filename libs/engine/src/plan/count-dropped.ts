import type { DropReason, PlanCounts } from './plan.js';

/** How often each reason occurs; null is none. */
export function countDropped(reasons: Iterable<DropReason | null>): PlanCounts['dropped'] {
  const counts: Partial<Record<DropReason, number>> = {};
  for (const reason of reasons) {
    if (reason) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}
