import {
  ConstraintInvalidError,
  ConstraintTooLargeError,
  ConstraintUnsupportedError,
  ofKeyword,
} from '../constraint.errors.js';
import { literal, oneOf, repeat, sequence } from '../grammar/ebnf.js';
import { integerRange } from '../grammar/integer-range.js';
import { type JsonValues, QUOTE } from '../grammar/json-values.js';
import { asJsonString, partMatch } from '../regex/regex-grammar.js';
import type { SchemaNode } from './schema-node.js';

const MAX_LENGTH = 10_000;

const DATE = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])';
const TIME = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)';
const BYTE = '(25[0-5]|2[0-4]\\d|1\\d{2}|[1-9]?\\d)';
const LABEL = '[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?';

/** Patterns of which every match is valid. Days end at 28: a grammar does not know the calendar. */
const FORMATS: Readonly<Record<string, string>> = {
  date: DATE,
  time: TIME,
  'date-time': `${DATE}T${TIME}`,
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  ipv4: `(${BYTE}\\.){3}${BYTE}`,
  hostname: `${LABEL}(\\.${LABEL}){0,3}`,
  email: `[A-Za-z0-9_+-]{1,24}(\\.[A-Za-z0-9_+-]{1,24}){0,3}@${LABEL}(\\.${LABEL}){1,3}`,
};

export function stringGrammar(schema: SchemaNode, values: JsonValues): string {
  const [min, max] = [schema.count('minLength') ?? 0, schema.count('maxLength')];
  const [narrowing, ...others] = ['pattern', 'format', 'minLength', 'maxLength'].filter((name) => schema.has(name));
  if (narrowing === 'pattern' || narrowing === 'format') {
    const other = others.find((keyword) => keyword !== 'minLength' || min > 0);
    if (other !== undefined) {
      const what = `"${narrowing}" together with another of "pattern", "format", "minLength", "maxLength" is not supported.`;
      throw new ConstraintUnsupportedError(schema.pointer, what).at(schema.at(other));
    }
    return sequence(QUOTE, matching(schema, values), QUOTE);
  }
  if (max !== null && max < min) throw nothing(schema);
  if (Math.max(min, max ?? 0) > MAX_LENGTH) {
    const what = `${schema.pointer}: strings of more than ${MAX_LENGTH} characters are not counted.`;
    throw new ConstraintTooLargeError(what).at(schema.at(min > MAX_LENGTH ? 'minLength' : 'maxLength'));
  }
  return values.string(min, max);
}

function matching(schema: SchemaNode, { rules }: JsonValues): string {
  const { pattern, format } = schema.values;
  if (schema.has('pattern')) {
    if (typeof pattern !== 'string') return schema.invalid('pattern', 'is a string');
    return ofKeyword(schema.at('pattern'), () => partMatch(pattern, asJsonString, rules, schema.pointer));
  }
  const known = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (known === undefined) {
    const list = Object.keys(FORMATS).join(', ');
    throw new ConstraintUnsupportedError(
      schema.pointer,
      `The format ${JSON.stringify(format)} is not supported, only ${list}.`,
    ).at(schema.at('format'));
  }
  return partMatch(`^(${known})$`, asJsonString, rules, schema.pointer);
}

export function integerGrammar(schema: SchemaNode, values: JsonValues): string {
  const [low, high] = [lowest(schema), highest(schema)];
  if (low === null && high === null) return values.integer;
  return integerRange(low, high) ?? raise(nothing(schema));
}

/** With limits, numbers are decimals without an exponent. Limits are whole: a decimal is split at its point. */
export function numberGrammar(schema: SchemaNode, values: JsonValues): string {
  const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
  if (!limits.some((keyword) => schema.has(keyword))) return values.number;
  for (const keyword of limits) {
    if (!Number.isSafeInteger(schema.number(keyword) ?? 0)) {
      const what = `"${keyword}" of a number must be a whole number; others are not supported.`;
      throw new ConstraintUnsupportedError(schema.pointer, what).at(schema.at(keyword));
    }
  }
  const low = bound(schema, 'minimum', 'exclusiveMinimum', Math.max);
  const high = bound(schema, 'maximum', 'exclusiveMaximum', Math.min);
  const parts = [decimals(low, high, 1), decimals(negated(high), negated(low), -1)].filter((part) => part !== null);
  return parts.length === 0 ? raise(nothing(schema)) : oneOf(parts);
}

interface Bound {
  readonly value: number;
  readonly isOpen: boolean;
}

/** Numbers of one sign: a whole part, and a fraction if it stays within the limits. */
function decimals(low: Bound | null, high: Bound | null, sign: 1 | -1): string | null {
  const from = low === null || low.value < 0 ? { value: 0, isOpen: false } : low;
  if (high !== null && high.value < from.value) return null;
  const parts: (string | null)[] = [];
  const fraction = repeat('[0-9]', 1, 12);
  const anyFraction = oneOf(['""', sequence(literal('.'), fraction)]);
  const lastWhole = high === null ? null : high.value - 1;
  const firstWhole = from.isOpen ? from.value + 1 : from.value;
  const whole = integerRange(firstWhole, lastWhole);
  if (whole !== null) parts.push(sequence(whole, anyFraction));
  const isEmptyAbove = high !== null && high.value <= from.value;
  // Above an exclusive lower limit, some digit of the fraction is not zero: here the last.
  if (from.isOpen && !isEmptyAbove) {
    parts.push(sequence(literal(String(from.value)), literal('.'), repeat('[0-9]', 0, 11), '[1-9]'));
  }
  if (high !== null && !high.isOpen && (high.value > from.value || !from.isOpen)) {
    parts.push(
      sequence(literal(String(high.value)), oneOf(['""', sequence(literal('.'), repeat(literal('0'), 1, 3))])),
    );
  }
  const kept = parts.filter((part) => part !== null);
  if (kept.length === 0) return null;
  return sign === 1 ? oneOf(kept) : sequence(literal('-'), oneOf(kept));
}

function bound(
  schema: SchemaNode,
  closed: string,
  open: string,
  stricter: (a: number, b: number) => number,
): Bound | null {
  const [closedAt, openAt] = [schema.number(closed), schema.number(open)];
  if (openAt === null) return closedAt === null ? null : { value: closedAt, isOpen: false };
  if (closedAt === null || stricter(closedAt, openAt) === openAt) return { value: openAt, isOpen: true };
  return { value: closedAt, isOpen: false };
}

const negated = (limit: Bound | null) => limit && { ...limit, value: -limit.value };

function lowest(schema: SchemaNode): number | null {
  const limit = bound(schema, 'minimum', 'exclusiveMinimum', Math.max);
  return limit && (limit.isOpen ? Math.floor(limit.value) + 1 : Math.ceil(limit.value));
}

function highest(schema: SchemaNode): number | null {
  const limit = bound(schema, 'maximum', 'exclusiveMaximum', Math.min);
  return limit && (limit.isOpen ? Math.ceil(limit.value) - 1 : Math.floor(limit.value));
}

function nothing(schema: SchemaNode): ConstraintInvalidError {
  return new ConstraintInvalidError(schema.pointer, 'No value is within the limits.');
}

function raise(error: Error): never {
  throw error;
}
