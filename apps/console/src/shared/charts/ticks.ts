const STEPS = [1, 2, 2.5, 5, 10];

/**
 * Round values from 0 up to or past a value, evenly apart.
 *
 * @param most not negative; what is no finite number counts as 1
 * @param count about how many steps there are
 */
export function valueTicks(most: number, count = 4): number[] {
  const top = Number.isFinite(most) && most > 0 ? most : 1;
  const rough = top / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((one) => one * power >= rough * (1 - 1e-9)) ?? 10) * power;
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

const MAX_TIME_LABELS = 6;

/** Times below a chart, evenly apart from its start. @param start Unix milliseconds @param end Unix milliseconds */
export const timeTicks = (start: number, end: number): number[] =>
  Array.from({ length: MAX_TIME_LABELS }, (_, index) => start + ((end - start) * index) / MAX_TIME_LABELS);
