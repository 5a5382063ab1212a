import { IsOptional } from 'class-validator';

import { IsInteger, IsText, IsWord } from '../validation/rules.js';

const MAX_INT32 = 2_147_483_647;

export const SORT_DIRECTIONS = ['asc', 'desc'] as const;

/** Most results; absent or null: no limit. */
export const IsLimit = (): PropertyDecorator => (target, key) => {
  IsOptional()(target, key as string);
  IsInteger({ min: 0, max: MAX_INT32 })(target, key);
};

/** Results to skip; absent or null: 0. */
export const IsOffset = IsLimit;

export class SortCriterionDto {
  @IsText({ min: 1, max: 1_024 }) field!: string;
  @IsWord(SORT_DIRECTIONS) direction!: (typeof SORT_DIRECTIONS)[number];
}
