/** A plain decimal number (RFC 9110, section 10.2.3, and vendors' fractions). */
const NUMBER = /^\s*\d{1,20}(?:\.\d{1,20})?\s*$/;
/** No wait is longer: an upstream that asks for more does not mean it, and clients would obey. */
const MAX_MS = 86_400_000;

/**
 * `Retry-After` of an upstream in milliseconds, at most a day; undefined: absent or malformed.
 *
 * @param nowMs Unix time, for a header that is a date
 */
export function readRetryAfter(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  nowMs = Date.now(),
): number | undefined {
  const exactMs = readNumber(headers['retry-after-ms']);
  const value = headers['retry-after'];
  const seconds = readNumber(value);
  if (exactMs !== undefined) return Math.min(exactMs, MAX_MS);
  if (seconds !== undefined) return Math.min(seconds * 1_000, MAX_MS);
  const date = typeof value === 'string' && /[a-z]/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - nowMs), MAX_MS);
}

const readNumber = (value: string | string[] | undefined): number | undefined =>
  typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
