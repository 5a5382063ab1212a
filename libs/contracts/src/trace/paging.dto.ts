import { IsOptional } from 'class-validator';

import { patternIssue } from '../issues/issue.js';
import { fromRule, MayOmit, type Rule } from '../validation/rule.js';
import { IsInteger, IsText, IsWord, listRule, textRule } from '../validation/rules.js';
import {
  CALL_QUERY_FIELDS,
  COST_QUERY_FIELDS,
  FEEDBACK_QUERY_FIELDS,
  fieldNamePattern,
  type QueryFields,
} from './query-expression.js';

const MAX_INT32 = 2_147_483_647;

export const SORT_DIRECTIONS = ['asc', 'desc'] as const;
/** Most fields of a sort order that may be paths into values: each is a column of the query. */
export const MAX_SORT_FIELDS = 100;

const TEXT = textRule({ min: 1, max: 1_024 });
/** Whether there is such a field is checked with the query. */
const fieldRule = (fields: QueryFields): Rule => {
  const [, path, time] = fields.examples;
  return { ...TEXT, schema: { ...TEXT.schema, pattern: fieldNamePattern(fields), examples: [time, path] } };
};
const FEEDBACK_FIELD = fieldRule(FEEDBACK_QUERY_FIELDS);
const CALL_FIELD = fieldRule(CALL_QUERY_FIELDS);
const COST_FIELD = fieldRule(COST_QUERY_FIELDS);

/** Names of columns of feedback records, or dotted paths into them. */
export const IsFieldNames = (): PropertyDecorator => fromRule(listRule(FEEDBACK_FIELD, { max: 1_000 }));

/** Names of columns of prices. */
export const IsCostFieldNames = (): PropertyDecorator => fromRule(listRule(COST_FIELD, { max: 1_000 }));

/** Names of columns of calls, or dotted paths into them. */
export const IsCallFieldNames = (): PropertyDecorator => fromRule(listRule(CALL_FIELD, { max: 1_000 }));

/** Names of columns of calls, or dotted paths into them, whose values are counted. */
export const IsFacetFields = (): PropertyDecorator => fromRule(listRule(CALL_FIELD, { min: 1, max: 10 }));

const EXPANDED: Rule = {
  name: 'isExpanded',
  issues: (value) => {
    const issues = TEXT.issues(value);
    if (issues.length || /^(?:inputs|output)\../s.test(value as string)) return issues;
    return [patternIssue("inputs.<path>' or 'output.<path>")];
  },
  schema: {
    ...TEXT.schema,
    pattern: '^(?:inputs|output)\\.[^\\u0000]+$',
    examples: ['inputs.dataset', 'output.model'],
  },
};

/** Dotted paths into inputs and output. */
export const IsExpandedFields = (): PropertyDecorator => fromRule(listRule(EXPANDED, { max: 1_000 }));

/** Most results; absent or null: no limit. */
export const IsLimit = (): PropertyDecorator => (target, key) => {
  IsOptional()(target, key as string);
  IsInteger({ min: 0, max: MAX_INT32 })(target, key);
};

/** Results to skip; absent or null: 0. */
export const IsOffset = IsLimit;

/** A token of the page before; empty: the first page. */
export const IsPageCursor = (): PropertyDecorator => (target, key) => {
  IsOptional()(target, key as string);
  IsText()(target, key);
};

/** The cursor of the next page, of an answer to a body with a cursor. */
export const IsNextCursor = (): PropertyDecorator => (target, key) => {
  MayOmit()(target, key);
  IsPageCursor()(target, key);
};

/** One field to sort by. */
export class SortCriterionDto {
  /** Column, or dotted path into `payload`, 1 to 1,024 characters. */
  @fromRule(FEEDBACK_FIELD) field!: string;
  /** `asc` or `desc`. */
  @IsWord(SORT_DIRECTIONS) direction!: (typeof SORT_DIRECTIONS)[number];
}

/** One field of calls to sort by. */
export class CallSortDto {
  /** Column, or dotted path into `attributes`, `inputs`, `output` or `summary`, 1 to 1,024 characters. */
  @fromRule(CALL_FIELD) field!: string;
  /** `asc` or `desc`. */
  @IsWord(SORT_DIRECTIONS) direction!: (typeof SORT_DIRECTIONS)[number];
}

/** One field of prices to sort by. */
export class CostSortDto {
  /** Column, 1 to 1,024 characters. */
  @fromRule(COST_FIELD) field!: string;
  /** `asc` or `desc`. */
  @IsWord(SORT_DIRECTIONS) direction!: (typeof SORT_DIRECTIONS)[number];
}
