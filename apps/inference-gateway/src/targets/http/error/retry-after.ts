/**
 * `Retry-After` of an upstream in milliseconds; undefined: absent.
 *
 * @param nowMs Unix time, for a header that is a date
 */
export function readRetryAfter(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  nowMs = Date.now(),
): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? NaN);
  if (exact >= 0) return exact;
  const value = headers['retry-after'];
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (seconds >= 0) return seconds * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
