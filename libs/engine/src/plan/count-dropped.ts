import type { DropReason, PlanCounts } from './plan.js';

/** Counts how often each reason occurs; null stands for a trained line or trajectory. */
export function countDropped(reasons: Iterable<DropReason | null>): PlanCounts['dropped'] {
  const counts: Partial<Record<DropReason, number>> = {};
  for (const reason of reasons) {
    if (reason) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}
