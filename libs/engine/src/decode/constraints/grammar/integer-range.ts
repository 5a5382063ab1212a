import { literal, oneOf, repeat, sequence } from './ebnf.js';

const DIGIT = '[0-9]';
/** Digits of the longest number without an upper limit: all of them are exact as doubles. */
const MAX_DIGITS = 15;

/**
 * Decimal integers from `min` to `max`, null: without that limit. Null when there is none.
 *
 * A range is cut at powers of ten and then digit by digit, where a common beginning ends.
 */
export function integerRange(min: number | null, max: number | null): string | null {
  const parts: string[] = [];
  const highest = 10 ** MAX_DIGITS - 1;
  const [low, high] = [Math.max(min ?? -highest, -highest), Math.min(max ?? highest, highest)];
  if (low > high) return null;
  if (low < 0) parts.push(sequence(literal('-'), naturalRange(Math.max(1, -Math.min(-1, high)), -low)));
  if (high >= 0) parts.push(naturalRange(Math.max(0, low), high));
  return oneOf(parts);
}

function naturalRange(low: number, high: number): string {
  const parts: string[] = [];
  for (let digits = String(low).length; digits <= String(high).length; digits += 1) {
    const from = Math.max(low, digits === 1 ? 0 : 10 ** (digits - 1));
    const to = Math.min(high, 10 ** digits - 1);
    parts.push(digitRange(String(from), String(to)));
  }
  return oneOf(parts);
}

/** Numbers between two with the same number of digits. */
function digitRange(from: string, to: string): string {
  if (from === to) return literal(from);
  const [first, last] = [Number(from[0]), Number(to[0])];
  const rest = from.length - 1;
  if (rest === 0) return digits(first, last);
  if (first === last) return sequence(literal(String(first)), digitRange(from.slice(1), to.slice(1)));
  const isFloor = /^0*$/.test(from.slice(1));
  const isCeiling = /^9*$/.test(to.slice(1));
  const parts: string[] = [];
  if (!isFloor) parts.push(sequence(literal(String(first)), digitRange(from.slice(1), '9'.repeat(rest))));
  const [low, high] = [isFloor ? first : first + 1, isCeiling ? last : last - 1];
  if (low <= high) parts.push(sequence(digits(low, high), repeat(DIGIT, rest, rest)));
  if (!isCeiling) parts.push(sequence(literal(String(last)), digitRange('0'.repeat(rest), to.slice(1))));
  return oneOf(parts);
}

const digits = (low: number, high: number) => (low === high ? literal(String(low)) : `[${low}-${high}]`);
