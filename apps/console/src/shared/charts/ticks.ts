const STEPS = [1, 2, 2.5, 5, 10];

/** About how many steps there are between values. */
const VALUE_STEPS = 4;

/**
 * Round values from 0 up to or past a value, evenly apart.
 *
 * @param most not negative; what is no finite number counts as 1
 * @param isWhole whether there are no fractions, as of counts
 */
export function valueTicks(most: number, isWhole = false): number[] {
  const top = Number.isFinite(most) && most > 0 ? most : 1;
  const rough = top / VALUE_STEPS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const possible = STEPS.map((one) => one * power).filter((one) => !isWhole || Number.isInteger(one));
  const step = possible.find((one) => one >= rough * (1 - 1e-9)) ?? Math.max(1, 10 * power);
  const steps = Math.ceil(top / step - 1e-9);
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}

const DAY = 86_400;
const CLOCK = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const DATE = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric' });

/** A time below a chart. @param ms Unix milliseconds @param spanSeconds the time that the chart is of */
export function timeLabel(ms: number, spanSeconds: number): string {
  if (spanSeconds <= 2 * DAY) return CLOCK.format(ms);
  return spanSeconds <= 400 * DAY ? DATE.format(ms) : MONTH.format(ms);
}

/** The bucket that begins at a time, in words. */
export function bucketLabel(ms: number, seconds: number): string {
  if (seconds < DAY) return `${DATE.format(ms)}, ${CLOCK.format(ms)} – ${CLOCK.format(ms + seconds * 1_000)}`;
  return seconds === DAY ? DATE.format(ms) : `${DATE.format(ms)} – ${DATE.format(ms + seconds * 1_000 - 1)}`;
}

/** Fewer than these and one more. */
const MAX_TIME_LABELS = 6;
/** Share of a chart behind which there is no room for a label. */
const LAST_LABEL = 0.92;
const MINUTE_MS = 60_000;
const DAY_MS = DAY * 1_000;
const MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720];
const DAYS = [1, 2, 5, 7, 14];
const MONTHS = [1, 2, 3, 6, 12];
const MONTH_MS = 31 * DAY_MS;

/**
 * Times below a chart as clocks and calendars count them: whole minutes and hours, midnights, first days of months, in the
 * reader's own time zone. Where none of them is within a short time, its start.
 *
 * @param start Unix milliseconds
 * @param end Unix milliseconds
 */
export function timeTicks(start: number, end: number): number[] {
  const tickAt = tickerOf(start, end - start);
  const last = start + (end - start) * LAST_LABEL;
  const ticks: number[] = [];
  for (let at = 0, ms = tickAt(0); ms <= last; ms = tickAt(++at)) if (ms >= start) ticks.push(ms);
  return ticks.length === 0 ? [start] : ticks;
}

/** The times that ticks may be at, by their order, from one before the start. */
function tickerOf(start: number, length: number): (at: number) => number {
  const fits = (stepMs: number) => length / stepMs <= MAX_TIME_LABELS;
  const date = new Date(start);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  const minutes = MINUTES.find((count) => fits(count * MINUTE_MS));
  if (minutes !== undefined) return (at) => new Date(year, month, day, 0, at * minutes).getTime();
  const days = DAYS.find((count) => fits(count * DAY_MS));
  if (days !== undefined) return (at) => new Date(year, month, day + at * days).getTime();
  const years = Math.ceil(length / (12 * MONTH_MS * MAX_TIME_LABELS));
  const months = MONTHS.find((count) => fits(count * MONTH_MS)) ?? 12 * years;
  return (at) => new Date(year, month + at * months, 1).getTime();
}
