import { enumIssue, type Issue, issue, rangeIssue, valueIssue } from '../issues/issue.js';
import { dateTimeIssue, parseDateTime } from '../names/date-time.js';
import { isUuid } from '../names/uuid.js';
import { DATE_TIME, STORABLE_TEXT, UUID } from '../patterns/patterns.js';
import { fromRule, type JsonSchema, type Rule } from '../validation/rule.js';
import { isStorableText, listRule } from '../validation/rules.js';

/** A parameter as the query string has it: a text, or the list of them when it is repeated. */
type QueryValue = string | string[];

/** The rule of a parameter that has one value: of a repeated one the last counts. */
function lastValueRule(
  name: string,
  schema: JsonSchema,
  issues: (text: string) => Issue[],
  read?: (text: string) => unknown,
): Rule {
  const last = (value: unknown) => [value as QueryValue].flat().at(-1) ?? '';
  return {
    name,
    issues: (value) => issues(last(value)),
    schema,
    coerce: (value) => (read ? read(last(value)) : last(value)),
  };
}

const INTEGER = /^[+-]?\d{1,15}$/;

/** An integer in decimal. */
export const IsQueryInteger = (min: number, max: number, preset?: number): PropertyDecorator =>
  fromRule(
    lastValueRule(
      'isQueryInteger',
      { type: 'integer', minimum: min, maximum: max, ...(preset !== undefined && { default: preset }) },
      (text) => {
        if (!INTEGER.test(text)) return [issue('int_parsing')];
        if (Number(text) < min) return [rangeIssue('greater', min)];
        return Number(text) > max ? [rangeIssue('less', max)] : [];
      },
      Number,
    ),
  );

/** One of a fixed set of words. */
export const IsQueryWord = (words: readonly string[], preset?: string): PropertyDecorator =>
  fromRule(
    lastValueRule(
      'isQueryWord',
      { type: 'string', enum: [...words], ...(preset !== undefined && { default: preset }) },
      (text) => (words.includes(text) ? [] : [enumIssue(words)]),
    ),
  );

/** Any text that can be stored. */
export const IsQueryText = (): PropertyDecorator =>
  fromRule(
    lastValueRule('isQueryText', { type: 'string', pattern: STORABLE_TEXT }, (text) =>
      isStorableText(text) ? [] : [issue('string_unicode')],
    ),
  );

/** A list of texts, one for each time that the parameter is sent. */
export const IsQueryList = (item: Rule, limits: { min?: number; max: number }): PropertyDecorator => {
  const list = listRule(item, limits);
  return fromRule({
    ...list,
    name: 'isQueryList',
    issues: (value) => list.issues([value].flat()),
    coerce: (value) => [value].flat(),
  });
};

/** Id of a row; empty counts as absent. */
export const IsQueryId = (): PropertyDecorator =>
  fromRule(
    lastValueRule(
      'isQueryId',
      { type: 'string', format: 'uuid', pattern: UUID },
      (text) => (text === '' || isUuid(text) ? [] : [issue('uuid_parsing')]),
      lowerCase,
    ),
  );

/** Id of the last item of the page before; empty counts as absent. */
export const IsCursor = (isCursor: (text: string) => boolean = isUuid, pattern = UUID): PropertyDecorator =>
  fromRule(
    lastValueRule(
      'isCursor',
      { type: 'string', pattern },
      (text) => (text === '' || isCursor(text) ? [] : [cursorIssue()]),
      lowerCase,
    ),
  );

const lowerCase = (text: string) => (text === '' ? undefined : text.toLowerCase());

/** The cursor names no item of the list. */
export const cursorIssue = (): Issue => valueIssue('Input should be the id of an item of this list');

/** An ISO 8601 date-time, sent once. */
export const IsQueryTime = (): PropertyDecorator =>
  fromRule({
    name: 'isQueryTime',
    issues: (value) => (typeof value === 'string' && parseDateTime(value) ? [] : [dateTimeIssue()]),
    schema: { type: 'string', format: 'date-time', pattern: DATE_TIME },
  });
