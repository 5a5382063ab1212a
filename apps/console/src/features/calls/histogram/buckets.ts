import type { TimeSpan } from '../../../shared/time-span/time-span.js';

/** The buckets of a span, those included that no call is in. Times are Unix milliseconds. */
export interface Buckets {
  /** Start of the first one; before the span where a bucket begins earlier. */
  readonly first: number;
  readonly widthMs: number;
  readonly count: number;
}

/** @param times starts of the buckets that have calls, by which all others lie; there is at least one */
export function bucketsOf({ start, end, seconds }: TimeSpan, times: readonly number[]): Buckets {
  const widthMs = seconds * 1_000;
  const known = times[0] ?? start;
  const first = known - Math.ceil((known - start) / widthMs) * widthMs;
  return { first, widthMs, count: Math.max(1, Math.ceil((end - first) / widthMs)) };
}

/** The bucket that a time is in, or the nearest one. */
export const bucketAt = ({ first, widthMs, count }: Buckets, ms: number): number =>
  Math.min(count - 1, Math.max(0, Math.floor((ms - first) / widthMs)));

/** The time from one bucket to another, both included, whichever of them is the earlier. */
export function timeOf(
  { first, widthMs }: Buckets,
  { start, end }: TimeSpan,
  [one, other]: readonly [number, number],
): readonly [start: number, end: number] {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  return [Math.max(start, first + from * widthMs), Math.min(end, first + (to + 1) * widthMs)];
}

/** Buckets that are chosen: from the one where that began to the one that is active. */
export interface Choice {
  readonly anchor: number;
  readonly active: number;
}

/** What a key makes of the choice; with Shift it grows from where it began. undefined: the key is for somebody else. */
export function moved(key: string, isGrowing: boolean, choice: Choice | null, count: number): Choice | undefined {
  const active = {
    ArrowRight: choice === null ? 0 : Math.min(count - 1, choice.active + 1),
    ArrowLeft: choice === null ? count - 1 : Math.max(0, choice.active - 1),
    Home: 0,
    End: count - 1,
  }[key];
  if (active === undefined) return undefined;
  return { anchor: isGrowing && choice ? choice.anchor : active, active };
}
