import { SPLIT_PARTS as PARTS } from '@hone/contracts';

/** Many changes leave an arm with many ranges; beyond this number they are laid out anew, which moves threads. */
const MAX_RANGES = 1_000;
/** Above what a sum of decimal fractions is wrong by. */
const ROUNDING = 1e-6;

/** Parts that belong to an arm. Those that belong to none are production's. */
export interface ThreadRange {
  readonly arm: string;
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

interface WeightedArm {
  readonly name: string;
  /** Share of the threads, 0 to 1. */
  readonly weight: number;
}

/**
 * Gives each arm as many parts as its weight says. An arm keeps what it has as far as it may: one whose weight grows gets
 * parts from production alone, one whose weight falls returns parts to production, and no thread changes between two
 * other arms. No function of the weights alone can do that for three arms and more, so the ranges are stored.
 *
 * @param before the ranges until now; empty: the split is new
 * @param arms weights add up to 1 at most
 * @returns in order, disjoint
 */
export function allocateThreads(before: readonly ThreadRange[], arms: readonly WeightedArm[]): ThreadRange[] {
  const kept: ThreadRange[] = [];
  const wanted = arms.map(({ name, weight }) => {
    const own = before.filter(({ arm }) => arm === name);
    const { taken, left } = takeFrom(own, name, partsOf(weight));
    kept.push(...taken);
    return { name, parts: left };
  });
  let ranges = inOrder(kept);
  for (const { name, parts } of wanted) {
    ranges = inOrder([...ranges, ...takeFrom(gapsOf(ranges), name, parts).taken]);
  }
  return ranges.length > MAX_RANGES && before.length > 0 ? allocateThreads([], arms) : ranges;
}

/** Share of the threads that no arm has. */
export const shareOfProduction = (ranges: readonly ThreadRange[]): number =>
  (PARTS - ranges.reduce((sum, { from, to }) => sum + to - from, 0)) / PARTS;

/** Whether so many parts can be given away. */
export const isTooMuch = (weights: readonly number[]): boolean =>
  weights.reduce((sum, weight) => sum + weight, 0) > 1 + ROUNDING / PARTS;

const partsOf = (weight: number): number => Math.floor(weight * PARTS + ROUNDING);

/** The first parts of some ranges, for an arm. @returns with how many are missing */
function takeFrom(
  ranges: readonly Omit<ThreadRange, 'arm'>[],
  arm: string,
  parts: number,
): { taken: ThreadRange[]; left: number } {
  const taken: ThreadRange[] = [];
  let left = parts;
  for (const { from, to } of ranges) {
    if (left === 0) break;
    const size = Math.min(left, to - from);
    taken.push({ arm, from, to: from + size });
    left -= size;
  }
  return { taken, left };
}

/** What is between the ranges. @param ranges in order */
function gapsOf(ranges: readonly ThreadRange[]): Omit<ThreadRange, 'arm'>[] {
  const starts = [0, ...ranges.map(({ to }) => to)];
  const ends = [...ranges.map(({ from }) => from), PARTS];
  return starts.flatMap((from, at) => {
    const to = ends[at] as number;
    return to > from ? [{ from, to }] : [];
  });
}

/** Sorted; neighbours of one arm are one range. */
function inOrder(ranges: readonly ThreadRange[]): ThreadRange[] {
  const joined: ThreadRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last?.arm === range.arm && last.to === range.from) joined[joined.length - 1] = { ...last, to: range.to };
    else joined.push(range);
  }
  return joined;
}
