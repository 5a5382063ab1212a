/** A time that figures are looked at over. Times are Unix milliseconds. */
export interface TimeSpan {
  readonly start: number;
  /** Excluded. */
  readonly end: number;
  /** Seconds of a bucket of a chart. */
  readonly seconds: number;
  /** As long, right before it. */
  readonly previousStart: number;
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** Spans that count back from now, in seconds, with their buckets. */
const BACK: Readonly<Record<string, readonly [seconds: number, bucket: number]>> = {
  '15m': [15 * MINUTE, MINUTE],
  '1h': [HOUR, MINUTE],
  '24h': [DAY, HOUR],
  '7d': [7 * DAY, 6 * HOUR],
  '30d': [30 * DAY, DAY],
  '90d': [90 * DAY, DAY],
  '365d': [365 * DAY, 7 * DAY],
};

/** Spans by their names in the address, as a person chooses them. */
export const SPANS = {
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  month: 'This month',
  'last-month': 'Last month',
  '90d': 'Last 90 days',
  '365d': 'Last year',
} as const;
/** From a day to another one, both included: `2026-01-05..2026-01-20`. */
export const CUSTOM = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;
/** From a time to another one, which is excluded: `2026-01-05T10:00:00.000Z..2026-01-05T11:30:00.000Z`. */
const EXACT = /^(\d{4}-\d{2}-\d{2}T[\d:.]{5,12}Z)\.\.(\d{4}-\d{2}-\d{2}T[\d:.]{5,12}Z)$/;
export const DEFAULT_SPAN = '24h';

/** The span of a name, in the reader's own time zone. An unknown name is the default. @param now Unix milliseconds */
export const toTimeSpan = (name: string, now: number): TimeSpan =>
  findTimeSpan(name, now) ?? (findTimeSpan(DEFAULT_SPAN, now) as TimeSpan);

/** The name of the span between two times. @param start Unix milliseconds @param end Unix milliseconds, excluded */
export const exactSpan = (start: number, end: number): string =>
  `${new Date(start).toISOString()}..${new Date(end).toISOString()}`;

/** The start and the end of a span between two times, Unix milliseconds; null: the name is of no such span. */
export function exactTimes(name: string): [start: number, end: number] | null {
  const [, from = '', to = ''] = EXACT.exec(name) ?? [];
  const [start, end] = [from, to].map((time) => Date.parse(time)) as [number, number];
  return start < end ? [start, end] : null;
}

/** The span of a name, in the reader's own time zone; null: there is none of this name. @param now Unix milliseconds */
export function findTimeSpan(name: string, now: number): TimeSpan | null {
  const back = Object.hasOwn(BACK, name) ? BACK[name] : undefined;
  if (back) return spanOf(now - back[0] * 1_000, now, back[1]);
  const day = new Date(now).setHours(0, 0, 0, 0);
  if (name === 'today') return spanOf(day, now, HOUR);
  if (name === 'yesterday') return spanOf(dayAfter(day, -1), day, HOUR);
  if (name === 'month') return spanOf(monthOf(now, 0), now, DAY);
  if (name === 'last-month') return spanOf(monthOf(now, -1), monthOf(now, 0), DAY);
  const exact = exactTimes(name);
  if (exact !== null) return spanOf(...exact);
  const days = customDays(name);
  return days === null ? null : spanOf(days[0], dayAfter(days[1], 1));
}

/** The first and the last day of a span that a person chose, as midnights; null: it is none. */
function customDays(name: string): [number, number] | null {
  const [, from = '', to = ''] = CUSTOM.exec(name) ?? [];
  const days = [from, to].map((day) => Date.parse(`${day}T00:00:00`));
  const [first, last] = days as [number, number];
  return first <= last ? [first, last] : null;
}

const MAX_BUCKETS = 100;
const STEPS = [1, 10, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 28 * DAY];

/**
 * The span between two times.
 *
 * @param start Unix milliseconds
 * @param end Unix milliseconds, excluded
 * @param seconds of a bucket; undefined: the least of which there are at most a hundred
 */
export function spanOf(start: number, end: number, seconds?: number): TimeSpan {
  const length = Math.max(1_000, end - start);
  const fitting = STEPS.find((step) => length / (step * 1_000) <= MAX_BUCKETS) ?? 365 * DAY;
  return { start, end: start + length, seconds: seconds ?? fitting, previousStart: start - length };
}

/** Midnight of a day some days later: days that the clocks change on are longer or shorter. */
function dayAfter(day: number, days: number): number {
  const date = new Date(day);
  return date.setDate(date.getDate() + days);
}

function monthOf(now: number, months: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth() + months, 1).getTime();
}
