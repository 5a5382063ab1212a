import { IsOptional } from 'class-validator';

import { fromRule, type Rule } from '../validation/rule.js';
import { IsInteger, IsWord, listRule, textRule } from '../validation/rules.js';
import { FIELD_NAME } from './query-expression.js';

const MAX_INT32 = 2_147_483_647;

export const SORT_DIRECTIONS = ['asc', 'desc'] as const;

const TEXT = textRule({ min: 1, max: 1_024 });
/** Whether there is such a field is checked with the query. */
const FIELD: Rule = {
  ...TEXT,
  schema: { ...TEXT.schema, pattern: FIELD_NAME, examples: ['created_at', 'payload.score'] },
};
const FIELDS = listRule(FIELD, { max: 1_000 });

/** Names of columns, or dotted paths into them. */
export const IsFieldNames = (): PropertyDecorator => fromRule(FIELDS);

/** Most results; absent or null: no limit. */
export const IsLimit = (): PropertyDecorator => (target, key) => {
  IsOptional()(target, key as string);
  IsInteger({ min: 0, max: MAX_INT32 })(target, key);
};

/** Results to skip; absent or null: 0. */
export const IsOffset = IsLimit;

/** One field to sort by. */
export class SortCriterionDto {
  /** Column, or dotted path into `payload`, 1 to 1,024 characters. */
  @fromRule(FIELD) field!: string;
  /** `asc` or `desc`. */
  @IsWord(SORT_DIRECTIONS) direction!: (typeof SORT_DIRECTIONS)[number];
}
