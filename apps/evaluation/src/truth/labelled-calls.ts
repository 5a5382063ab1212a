import { type JsonValue, type JudgeTruthDto, mappedNumber } from '@hone/contracts';
import { type LabelledPairs, type Moments, poolMoments } from '@hone/statistics';

import { boundsOf, type Criterion, isUnit } from './criterion.js';
import type { FoundVerdicts, VerdictGroup } from './verdict-groups.js';

/** Judged calls that have one verdict and one label, which is a number. */
export interface LabelledGroup extends VerdictGroup {
  readonly human: number;
}

/** Verdicts as statistics takes them. */
export interface LabelledCalls extends LabelledPairs {
  readonly groups: readonly LabelledGroup[];
  /** Verdicts of the calls without a label. */
  readonly others: Moments;
  /** Labels and verdicts are all 0 or 1, and the criterion asks for no more. */
  readonly isRate: boolean;
  /** Calls whose newest feedback of the truth's type is no label. */
  readonly unread: number;
}

/** Tells labels from what else stands where labels are; calls without one count as judged alone. */
export function readLabels(found: FoundVerdicts, criterion: Criterion, map: JudgeTruthDto['map']): LabelledCalls {
  const groups: LabelledGroup[] = [];
  let { others, othersAreBinary, unread } = found;
  for (const group of found.groups) {
    const human = labelOf(group.label, criterion, map);
    if (human !== undefined) {
      groups.push({ ...group, human });
      continue;
    }
    others = poolMoments(others, { count: group.calls, mean: group.judge, variance: 0 });
    othersAreBinary &&= isBinary(group.judge);
    unread += group.calls;
  }
  return {
    groups,
    human: valuesOf(groups, ({ human }) => human),
    judge: valuesOf(groups, ({ judge }) => judge),
    others,
    isRate: isUnit(criterion) && othersAreBinary && groups.every((one) => isBinary(one.human) && isBinary(one.judge)),
    unread,
  };
}

/** A value for each call. */
function valuesOf(groups: readonly LabelledGroup[], valueOf: (group: LabelledGroup) => number): number[] {
  const values: number[] = [];
  for (const group of groups) for (let left = group.calls; left > 0; left--) values.push(valueOf(group));
  return values;
}

function labelOf(text: string, criterion: Criterion, map: JudgeTruthDto['map']): number | undefined {
  const number = mappedNumber(JSON.parse(text) as JsonValue, map);
  const [min, max] = boundsOf(criterion);
  return number !== undefined && number >= min && number <= max ? number : undefined;
}

const isBinary = (value: number): boolean => value === 0 || value === 1;
