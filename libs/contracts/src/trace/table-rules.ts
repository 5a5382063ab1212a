import { type Issue, issue, valueIssue } from '../issues/issue.js';
import { isJsonObject, type JsonObject } from '../json/index.js';
import type { Rule } from '../validation/rule.js';
import { integerRule, textRule, wordRule } from '../validation/rules.js';
import { SORT_DIRECTIONS } from './paging.dto.js';

/** Most rows that one request may store: as values they take ten times the memory of their text. */
export const MAX_ROWS = 1_000_000;

/** A row of a table. */
export const rowRule: Rule = {
  name: 'isRow',
  issues: (value) => (isJsonObject(value) ? [] : [issue('dict_type')]),
  schema: { type: 'object', additionalProperties: true },
};

/** An object of exactly these fields. */
const recordRule = (name: string, fields: Record<string, Rule>): Rule => ({
  name,
  issues(value) {
    if (!isJsonObject(value)) return [issue('dict_type')];
    const wrong = Object.entries(fields).flatMap(([key, rule]) =>
      Object.hasOwn(value, key) ? within(key, rule.issues(value[key])) : [issue('missing', [key])],
    );
    const extra = Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
    return [...wrong, ...extra.map((key) => issue('extra_forbidden', [key]))];
  },
  schema: {
    type: 'object',
    required: Object.keys(fields),
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, schema])),
  },
});

const described = (rule: Rule, description: string): Rule => ({ ...rule, schema: { ...rule.schema, description } });

const within = (key: string, issues: Issue[]): Issue[] => issues.map((one) => ({ ...one, loc: [key, ...one.loc] }));

/** One field of rows to sort by. */
export const rowSortRule = recordRule('isRowSort', {
  field: described(textRule({ min: 1, max: 1_024 }), 'Dotted path into the row; `\\.` is a dot within a key.'),
  direction: described(wordRule(SORT_DIRECTIONS), '`asc` or `desc`.'),
});

/** One step of an update of a table. */
export type TableStep =
  { append: { row: JsonObject } } | { insert: { index: number; row: JsonObject } } | { pop: { index: number } };

const POSITION = integerRule({ min: 0, max: 2_147_483_647 });
/** What a step can be, by the one key that it has. */
const STEPS = new Map([
  ['append', recordRule('isAppend', { row: described(rowRule, 'The row that comes last.') })],
  [
    'insert',
    recordRule('isInsert', {
      index: described(POSITION, 'Position from 0, at most the number of rows: the row comes before the one there.'),
      row: described(rowRule, 'The row.'),
    }),
  ],
  ['pop', recordRule('isPop', { index: described(POSITION, 'Position from 0 of the row that is taken out.') })],
]);

export const tableStepRule: Rule = {
  name: 'isTableStep',
  issues(value) {
    if (!isJsonObject(value)) return [issue('dict_type')];
    const [key = '', ...others] = Object.keys(value);
    const rule = others.length === 0 ? STEPS.get(key) : undefined;
    return rule ? within(key, rule.issues(value[key])) : [valueIssue('A step has one key: append, insert or pop')];
  },
  schema: {
    oneOf: [...STEPS].map(([key, { schema }]) => ({
      type: 'object',
      required: [key],
      additionalProperties: false,
      properties: { [key]: schema },
    })),
  },
};
