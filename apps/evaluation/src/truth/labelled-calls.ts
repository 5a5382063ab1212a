import { type JsonValue, type JudgeTruthDto, type LabelSource, mappedNumber } from '@hone/contracts';
import { type JudgedCalls, MIN_LABELS, type Moments, NO_VALUES, poolMoments } from '@hone/statistics';

import { boundsOf, type Criterion, isUnit } from './criterion.js';
import { type DrawnCalls, labelChance, labelledShares, wereDrawn, wereKnown } from './label-chances.js';
import type { FoundVerdicts, VerdictGroup } from './verdict-groups.js';

/** Judged calls that have one verdict and one label, which is a number. */
export interface LabelledGroup extends VerdictGroup {
  readonly human: number;
}

/** Verdicts as statistics takes them: labels of one source, and judged calls that it speaks for. */
export interface LabelledCalls extends JudgedCalls {
  readonly source: LabelSource;
  /** Every label, of whichever source. */
  readonly groups: readonly LabelledGroup[];
  /** Those of the source, in the order of `human`, `judge` and `chances`. */
  readonly used: readonly LabelledGroup[];
  /** Calls whose newest feedback of the truth's type is no label. */
  readonly unread: number;
  /** Calls that label queues drew and people labelled, of whichever source the labels are. */
  readonly drawn: number;
  /** Calls whose label is of another source. */
  readonly leftOut: number;
  /** Judged calls that no label queue could draw, where labels are those of label queues. */
  readonly withoutChance: number;
}

/** Judged calls that have no label, as far as the mean is concerned. */
interface JudgedAlone {
  readonly draws: VerdictGroup['draws'];
  readonly verdicts: Moments;
  readonly isBinary: boolean;
}

/**
 * Tells labels from what else stands where labels are, and those of label queues from others. Calls without a label count as
 * judged alone.
 *
 * @param wanted null: labels of label queues, if there are enough
 */
export function readLabels(
  found: FoundVerdicts,
  criterion: Criterion,
  map: JudgeTruthDto['map'],
  wanted: LabelSource | null,
): LabelledCalls {
  const { groups, alone, unread } = read(found, criterion, map);
  const drawn = countOf(groups.filter(wereDrawn));
  const hasEnough = drawn >= MIN_LABELS;
  const source = wanted ?? (hasEnough ? 'drawn' : 'given');
  const isUsed = source === 'given' ? isGiven : hasEnough ? hasChance : wereDrawn;
  const used = groups.filter(isUsed);
  const unused = groups.filter((group) => !isUsed(group));
  const judged = [...alone, ...unused.map(toJudged)];
  const meant = source === 'drawn' ? judged.filter(({ draws }) => draws !== null) : judged;
  return {
    ...{ source, groups, used, unread, drawn, leftOut: countOf(unused) },
    withoutChance: totalOf(judged) - totalOf(meant),
    human: valuesOf(used, ({ human }) => human),
    judge: valuesOf(used, ({ judge }) => judge),
    ...(source === 'drawn' && { chances: chancesOf(used, groups, alone) }),
    others: meant.reduce((sum, { verdicts }) => poolMoments(sum, verdicts), NO_VALUES),
    isRate: isUnit(criterion) && meant.every(({ isBinary }) => isBinary) && used.every(isBinaryPair),
  };
}

const isGiven = (group: LabelledGroup): boolean => !wereDrawn(group);
/** Labels that were there before the draw are there for sure, so that the draw was among the other calls. */
const hasChance = (group: LabelledGroup): boolean => wereDrawn(group) || wereKnown(group);

function read(found: FoundVerdicts, criterion: Criterion, map: JudgeTruthDto['map']) {
  const groups: LabelledGroup[] = [];
  const alone: JudgedAlone[] = [...found.others];
  let unread = found.others.reduce((sum, others) => sum + others.unread, 0);
  for (const group of found.groups) {
    const human = labelOf(group.label, criterion, map);
    if (human === undefined) {
      alone.push(toJudged(group));
      unread += group.calls;
    } else groups.push({ ...group, human });
  }
  return { groups, alone, unread };
}

const toJudged = ({ draws, judge, calls }: VerdictGroup): JudgedAlone => ({
  ...{ draws, isBinary: isBinary(judge) },
  verdicts: { count: calls, mean: judge, variance: 0 },
});

/** The chance of each labelled call to be so. */
function chancesOf(
  used: readonly LabelledGroup[],
  groups: readonly LabelledGroup[],
  alone: readonly JudgedAlone[],
): number[] {
  const all: DrawnCalls[] = [
    ...groups.map(({ draws, calls }) => ({ draws, calls, isLabelled: true })),
    ...alone.map(({ draws, verdicts }) => ({ draws, calls: verdicts.count, isLabelled: false })),
  ];
  const shares = labelledShares(all);
  return valuesOf(used, ({ draws }) => labelChance(draws ?? [], shares));
}

const countOf = (groups: readonly VerdictGroup[]): number => groups.reduce((sum, { calls }) => sum + calls, 0);
const totalOf = (judged: readonly JudgedAlone[]): number =>
  judged.reduce((sum, { verdicts }) => sum + verdicts.count, 0);

/** A value for each call. */
function valuesOf(groups: readonly LabelledGroup[], valueOf: (group: LabelledGroup) => number): number[] {
  const values: number[] = [];
  for (const group of groups) {
    const value = valueOf(group);
    for (let left = group.calls; left > 0; left--) values.push(value);
  }
  return values;
}

/** The number that a label is; undefined: it is none, or one beyond the scale. @param text JSON */
export function labelOf(text: string, criterion: Criterion, map: JudgeTruthDto['map']): number | undefined {
  const number = mappedNumber(JSON.parse(text) as JsonValue, map);
  const [min, max] = boundsOf(criterion);
  return number !== undefined && number >= min && number <= max ? number : undefined;
}

const isBinary = (value: number): boolean => value === 0 || value === 1;
const isBinaryPair = ({ human, judge }: LabelledGroup): boolean => isBinary(human) && isBinary(judge);
