let second = NaN;
/** ISO text of that second, up to and with the point. */
let prefix = '';

/** ISO 8601 in UTC with milliseconds, as `toISOString`; faster, because the prefix of the last second is cached. */
export function isoTime(time: Date): string {
  const ms = time.getTime();
  const current = Math.floor(ms / 1_000);
  if (current !== second) {
    prefix = time.toISOString().slice(0, -4);
    second = current;
  }
  return `${prefix}${String(ms - current * 1_000).padStart(3, '0')}Z`;
}
