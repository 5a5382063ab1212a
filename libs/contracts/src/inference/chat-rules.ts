import { type Issue, issue, lengthIssue, patternIssue, rangeIssue, tooManyIssue } from '../issues/issue.js';
import { asNumber, isJsonObject } from '../json/index.js';
import { TOKEN_ID as TOKEN_ID_PATTERN } from '../patterns/patterns.js';
import { fromRule, type Rule } from '../validation/rule.js';
import { hasMoreThan, integerRule, listRule, numberRule } from '../validation/rules.js';

/** Text of any characters: what is said in a chat is stored nowhere, so U+0000 is no harm. */
export function anyTextRule({ min = 0, max = Infinity }: { min?: number; max?: number } = {}): Rule {
  return {
    name: 'isAnyText',
    issues(value) {
      if (typeof value !== 'string') return [issue('string_type')];
      if (value.length < min) return [lengthIssue('short', min)];
      return hasMoreThan(max, value) ? [lengthIssue('long', max)] : [];
    },
    schema: { type: 'string', ...(min > 0 && { minLength: min }), ...(max < Infinity && { maxLength: max }) },
  };
}

/** 64-bit integers; one that a double cannot hold is judged as the nearest double, and goes on with its own digits. */
export const INT64 = { min: -(2 ** 63), max: 2 ** 63 };

const STOP_STRING = anyTextRule({ min: 1, max: 1_024 });
const STOP_LIST = listRule(STOP_STRING, { max: 64 });

/** One string, or at most 64; each 1..1024 characters. */
export const IsStop = (): PropertyDecorator =>
  fromRule({
    name: 'isStop',
    issues: (value) => (typeof value === 'string' ? STOP_STRING.issues(value) : STOP_LIST.issues(value)),
    schema: { anyOf: [STOP_STRING.schema, STOP_LIST.schema] },
  });

const BIAS = numberRule({ min: -100, max: 100 });
const TOKEN_ID = /^(0|[1-9][0-9]{0,9})$/;
const MAX_BIASES = 1_024;

/** Decimal token id -> what is added to its logit, -100 to 100. */
export const IsLogitBias = (): PropertyDecorator =>
  fromRule({
    name: 'isLogitBias',
    issues(value) {
      if (!isJsonObject(value)) return [issue('dict_type')];
      const keys = Object.keys(value);
      if (keys.length > MAX_BIASES) return [tooManyIssue(MAX_BIASES)];
      return keys.flatMap((key) =>
        TOKEN_ID.test(key) ? prefixed(key, BIAS.issues(value[key])) : [patternIssue('<token id>', [key])],
      );
    },
    schema: {
      type: 'object',
      propertyNames: { pattern: TOKEN_ID_PATTERN },
      additionalProperties: BIAS.schema,
      maxProperties: MAX_BIASES,
    },
  });

export const IsAnyText = (limits?: { min?: number; max?: number }): PropertyDecorator => fromRule(anyTextRule(limits));
export const IsAnyTextList = ({ min, max, maxItems, minItems }: ListLimits = {}): PropertyDecorator =>
  fromRule(listRule(anyTextRule({ min, max }), { min: minItems, max: maxItems }));
/** Token ids; whether the model has them is seen when it is known. */
export const IsTokenIds = ({ minItems, maxItems }: ListLimits = {}): PropertyDecorator =>
  fromRule(listRule(integerRule({ min: 0 }), { min: minItems, max: maxItems }));

interface ListLimits {
  min?: number;
  max?: number;
  minItems?: number;
  maxItems?: number;
}

/** -1 (all of the vocabulary) where the limit itself is -1; else 0 to the limit, which the gateway's settings set. */
export const IsLogprobCount = (): PropertyDecorator => fromRule(integerRule({ min: -1 }));

/** Objects of any content. */
export const IsObjectList = (limits?: { min?: number }): PropertyDecorator => fromRule(listRule(ANY_OBJECT, limits));

const ANY_OBJECT: Rule = {
  name: 'isAnyObject',
  issues: (value) => (isJsonObject(value) ? [] : [issue('dict_type')]),
  schema: { type: 'object', additionalProperties: true },
};

/** A string, a number, or a list of strings or of numbers. */
export const IsEngineArguments = (): PropertyDecorator =>
  fromRule({
    name: 'isEngineArguments',
    issues(value) {
      if (!isJsonObject(value)) return [issue('dict_type')];
      return Object.keys(value).flatMap((key) => prefixed(key, argumentIssues(value[key])));
    },
    schema: {
      type: 'object',
      additionalProperties: {
        anyOf: [{ type: ['string', 'number'] }, { type: 'array', items: { type: ['string', 'number'] } }],
      },
    },
  });

function argumentIssues(value: unknown): Issue[] {
  const isPlain = (item: unknown) => typeof item === 'string' || asNumber(item) !== undefined;
  const isGood = isPlain(value) || (Array.isArray(value) && value.every(isPlain));
  return isGood ? [] : [{ loc: [], msg: 'Input should be a string, a number or a list of them', type: 'value_error' }];
}

/** The text of a JSON schema, or the schema itself. */
export const IsSchemaOrText = (): PropertyDecorator =>
  fromRule({
    name: 'isSchemaOrText',
    issues: (value) => (typeof value === 'string' || isJsonObject(value) ? [] : [issue('dict_type')]),
    schema: { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }] },
  });

/** An integer from a smallest one on, of which larger ones mean the same as 2^63. */
export const IsLongInteger = (min: number): PropertyDecorator =>
  fromRule({
    ...integerRule(),
    issues(value) {
      const number = asNumber(value);
      if (number === undefined || !Number.isInteger(number)) return [issue('int_type')];
      if (number < min) return [rangeIssue('greater', min)];
      return number > INT64.max ? [rangeIssue('less', INT64.max)] : [];
    },
    schema: { type: 'integer', minimum: min, maximum: INT64.max },
  });

export const prefixed = (key: string | number, issues: Issue[]): Issue[] =>
  issues.map((found) => ({ ...found, loc: [key, ...found.loc] }));

const NO_ISSUES: Issue[] = [];

/**
 * Adds to the schema of a field what the interface lists as its default.
 *
 * @param absent what absence does, in a sentence; left out: it does what the listed value does. A generated client
 *   sends defaults, so one that would change what its owner gets is an example only
 */
export const ListedDefault = (value: unknown, absent?: string): PropertyDecorator =>
  fromRule({
    name: 'listedDefault',
    issues: () => NO_ISSUES,
    schema: {
      'x-listed-default': value,
      ...(absent === undefined ? { default: value } : { example: value, description: absent }),
    },
  });
