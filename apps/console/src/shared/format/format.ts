import { decodeOrSame } from './decode.js';

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
/** Kept: to make one takes longer than to format with it. */
const LOCAL_TIME = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
const UNITS: readonly [name: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** `12`, `1.2K`, `3.4M`. */
export const formatCount = (count: number): string => (count < 10_000 ? NUMBER.format(count) : COMPACT.format(count));

/** `57 ms`, `1.2 s`, `3 min 20 s`. @param ms null: it runs */
export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '…';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${NUMBER.format(ms / 1_000)} s`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60 ? `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s` : `${NUMBER.format(minutes / 60)} h`;
}

/** `3 min ago`. @param now Unix milliseconds */
export function formatAge(time: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1_000));
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${unit} ago`;
}

/** In the reader's own time zone, to the millisecond. */
export const formatTime = (time: string): string => {
  const date = new Date(time);
  const milliseconds = String(date.getMilliseconds()).padStart(3, '0');
  return `${LOCAL_TIME.format(date)}.${milliseconds}`;
};

/** `512 bytes`, `12 KB`, `3.4 MB`. */
export const formatBytes = (bytes: number): string =>
  bytes < 1_024
    ? `${bytes} bytes`
    : bytes < 1_048_576
      ? `${NUMBER.format(bytes / 1_024)} KB`
      : `${NUMBER.format(bytes / 1_048_576)} MB`;

/** US dollars; small amounts keep two digits that say something. */
export const formatCost = (usd: number): string =>
  usd === 0 ? '$0' : usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;

/** `12 %`. @param share 0 to 1 */
export const formatShare = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

/** Enough digits to see the interval, no more. */
export const formatMetric = (value: number): string =>
  value !== 0 && Math.abs(value) < 0.001 ? value.toExponential(1) : String(Number(value.toPrecision(3)));

/** `chat.completions` of `hone:///acme/demo/op/chat.completions:v0`; a plain name as it is. */
export function shortOpName(name: string): string {
  const [, short = name] = /\/op\/([^/:]+)(?::[^/:]*)?$/.exec(name) ?? [];
  return decodeOrSame(short);
}
