import type { LabelledGroup } from './labelled-calls.js';

/** A call on which judge and person differ. */
export interface Disagreement {
  readonly callId: string;
  readonly feedbackId: string;
  readonly judge: number;
  readonly human: number;
}

const gapOf = ({ judge, human }: Pick<Disagreement, 'judge' | 'human'>): number => Math.abs(judge - human);

/** The calls on which they differ most; among equals by their ids. @param limit not above what groups name */
export function worstDisagreements(groups: readonly LabelledGroup[], limit: number): Disagreement[] {
  const named = worstGroups(groups, limit).flatMap(({ callIds, feedbackIds, judge, human }) =>
    callIds.map((callId, at) => ({ callId, feedbackId: feedbackIds[at] as string, judge, human })),
  );
  return named.sort((a, b) => gapOf(b) - gapOf(a) || (a.callId < b.callId ? -1 : 1)).slice(0, limit);
}

/** So many groups as there may be are not sorted: one pass keeps the worst. */
function worstGroups(groups: readonly LabelledGroup[], limit: number): LabelledGroup[] {
  const worst: LabelledGroup[] = [];
  for (const group of groups) {
    const last = worst.length < limit ? 0 : gapOf(worst[limit - 1] as LabelledGroup);
    if (gapOf(group) <= last) continue;
    worst.push(group);
    worst.sort((a, b) => gapOf(b) - gapOf(a)).splice(limit);
  }
  return worst;
}
