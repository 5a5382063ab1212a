import {
  aboveIssue,
  enumIssue,
  type Issue,
  issue,
  lengthIssue,
  MAX_ISSUES,
  patternIssue,
  rangeIssue,
  tooFewIssue,
  tooManyIssue,
} from '../issues/issue.js';
import { asNumber, isJsonObject } from '../json/index.js';
import { STORABLE_TEXT } from '../patterns/patterns.js';
import { fromRule, type JsonSchema, type Rule } from './rule.js';

/** What a rule answers to a good value: always the same list, because this runs for every field of every record. */
const NO_ISSUES: Issue[] = [];

/** Limits of a text field; lengths count code points. */
export interface TextOptions {
  min?: number;
  max?: number;
  /** Whether the text is right, and how to say what is right, for example `<entity>/<project>`. */
  shape?: {
    matches: (text: string) => boolean;
    description: string;
    /** The same as a pattern of JSON Schema. */
    pattern: string;
    /** A pattern of texts that meet {@link pattern} and are refused all the same. */
    except?: string;
    /** Texts of the shape. */
    examples: readonly string[];
  };
}

export function textRule({ min = 0, max, shape }: TextOptions = {}): Rule {
  return {
    name: 'isText',
    issues(value) {
      if (typeof value !== 'string') return [issue('string_type')];
      if (!isStorableText(value)) return [issue('string_unicode')];
      if (value.length < min) return [lengthIssue('short', min)];
      if (max !== undefined && hasMoreThan(max, value)) return [lengthIssue('long', max)];
      return shape && !shape.matches(value) ? [patternIssue(shape.description)] : NO_ISSUES;
    },
    schema: {
      type: 'string',
      ...(min && { minLength: min }),
      ...(max && { maxLength: max }),
      pattern: shape?.pattern ?? STORABLE_TEXT,
      ...(shape?.except && { not: { pattern: shape.except } }),
      ...(shape && { examples: [...shape.examples] }),
    },
  };
}

/**
 * Whether a text has more than `max` code points. One has one or two UTF-16 units, so only texts with a length between the
 * two need counting.
 */
export const hasMoreThan = (max: number, text: string): boolean =>
  text.length > max && (text.length > max * 2 || [...text].length > max);

/** Text without U+0000 and unpaired surrogates. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** The text with U+FFFD for what typed fields do not take: U+0000 and unpaired surrogates. */
export const toStorableText = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

export function integerRule({ min, max }: { min?: number; max?: number } = {}): Rule {
  return {
    name: 'isInteger',
    issues(value) {
      const number = asNumber(value);
      if (number === undefined || !Number.isInteger(number)) return [issue('int_type')];
      return rangeIssues(number, min, max);
    },
    schema: { type: 'integer', ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) },
    coerce: (value) => asNumber(value),
  };
}

/** @param above excluded lower limit */
export function numberRule({ min, max, above }: { min?: number; max?: number; above?: number } = {}): Rule {
  return {
    name: 'isNumber',
    issues(value) {
      const number = asNumber(value);
      if (number === undefined) return [issue('float_type')];
      if (!Number.isFinite(number)) return [issue('finite_number')];
      return above !== undefined && number <= above ? [aboveIssue(above)] : rangeIssues(number, min, max);
    },
    schema: {
      type: 'number',
      ...(min !== undefined && { minimum: min }),
      ...(above !== undefined && { exclusiveMinimum: above }),
      ...(max !== undefined && { maximum: max }),
    },
    coerce: (value) => asNumber(value),
  };
}

function rangeIssues(number: number, min?: number, max?: number): Issue[] {
  if (min !== undefined && number < min) return [rangeIssue('greater', min)];
  if (max !== undefined && number > max) return [rangeIssue('less', max)];
  return NO_ISSUES;
}

export function listRule(item: Rule, { min = 0, max }: { min?: number; max?: number } = {}): Rule {
  return {
    name: 'isListOf',
    issues(value) {
      if (!Array.isArray(value)) return [issue('list_type')];
      if (value.length < min) return [tooFewIssue(min)];
      if (max !== undefined && value.length > max) return [tooManyIssue(max)];
      let issues = NO_ISSUES;
      for (const [index, element] of value.entries()) {
        if (issues.length >= MAX_ISSUES) break;
        issues = withFound(issues, index, item.issues(element));
      }
      return issues;
    },
    schema: {
      type: 'array',
      items: item.schema,
      ...(min > 0 && { minItems: min }),
      ...(max !== undefined && { maxItems: max }),
    },
    coerce: (value) => (item.coerce ? (value as unknown[]).map((element) => item.coerce?.(element)) : value),
  };
}

/** Any keys; each value as `item` says. An error's `loc` ends with the key. */
export function mapRule(item: Rule): Rule {
  return {
    name: 'isMapOf',
    issues(value) {
      if (!isJsonObject(value)) return [issue('dict_type')];
      let issues = NO_ISSUES;
      for (const key of Object.keys(value)) {
        if (issues.length >= MAX_ISSUES) break;
        issues = withFound(issues, key, isStorableText(key) ? item.issues(value[key]) : [issue('string_unicode')]);
      }
      return issues;
    },
    schema: { type: 'object', propertyNames: { pattern: STORABLE_TEXT }, additionalProperties: item.schema },
    coerce(value) {
      const { coerce } = item;
      const entries = Object.entries(value as object);
      if (!coerce || entries.every(([, element]) => typeof element !== 'object')) return value;
      return Object.fromEntries(entries.map(([key, element]) => [key, coerce(element)]));
    },
  };
}

/** The issues so far and those found at `key`; allocates only when there are any. */
function withFound(issues: Issue[], key: string | number, found: Issue[]): Issue[] {
  return found.length ? [...issues, ...found.map((one) => ({ ...one, loc: [key, ...one.loc] }))] : issues;
}

export function wordRule(values: readonly string[]): Rule {
  return {
    name: 'isWord',
    issues: (value) => (typeof value === 'string' && values.includes(value) ? NO_ISSUES : [enumIssue(values)]),
    schema: { type: 'string', enum: [...values] },
  };
}

/** A string, its length and shape. */
export const IsText = (options?: TextOptions): PropertyDecorator => fromRule(textRule(options));
export const IsInteger = (range?: { min?: number; max?: number }): PropertyDecorator => fromRule(integerRule(range));
export const IsNumber = (range?: { min?: number; max?: number; above?: number }): PropertyDecorator =>
  fromRule(numberRule(range));
export const IsTextList = (options: TextOptions & { maxItems?: number } = {}): PropertyDecorator =>
  fromRule(listRule(textRule(options), { max: options.maxItems }));
export const IsTextMap = (): PropertyDecorator => fromRule(mapRule(textRule()));
/** A map of numbers from 0 to 1, both included. */
export const IsUnitIntervalMap = (): PropertyDecorator => fromRule(mapRule(numberRule({ min: 0, max: 1 })));

export const IsFlag = (): PropertyDecorator =>
  fromRule({
    name: 'isFlag',
    issues: (value) => (typeof value === 'boolean' ? NO_ISSUES : [issue('bool_type')]),
    schema: { type: 'boolean' },
  });

/** One of a fixed set of words. */
export const IsWord = (values: readonly string[]): PropertyDecorator => fromRule(wordRule(values));

/** A JSON object with any content, kept exactly as sent. */
export const IsJsonObject = (): PropertyDecorator =>
  fromRule({
    name: 'isJsonObject',
    issues: (value) => (isJsonObject(value) ? NO_ISSUES : [issue('dict_type')]),
    schema: { type: 'object', additionalProperties: true },
  });

/** Whether the database holds all texts of a JSON value, names of members included. */
export function isStorableJson(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string' && !isStorableText(next)) return false;
    if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (isJsonObject(next)) for (const [key, member] of Object.entries(next)) open.push(key, member);
  }
  return true;
}

/** A JSON object that the database takes apart: its texts have no U+0000 and no half of a surrogate pair. */
export const IsStorableObject = (): PropertyDecorator =>
  fromRule({
    name: 'isStorableObject',
    issues(value) {
      if (!isJsonObject(value)) return [issue('dict_type')];
      return isStorableJson(value) ? NO_ISSUES : [issue('string_unicode')];
    },
    schema: { type: 'object', additionalProperties: true },
  });

/** Any JSON value, kept exactly as sent; `schema` says more where more is known. */
export const IsJsonValue = (schema: JsonSchema = {}): PropertyDecorator =>
  fromRule({ name: 'isJsonValue', issues: () => NO_ISSUES, schema });
