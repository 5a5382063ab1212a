import { NestedList } from '../validation/rule.js';
import { IsJsonValue, IsText } from '../validation/rules.js';

/** One thing that is wrong with a request. */
export class ValidationIssueDto {
  /** Path to the offending input: `body`, `query` or `path`, then keys and indexes. */
  @IsJsonValue({ type: 'array', items: { type: ['string', 'integer'] } }) loc!: (string | number)[];
  /** What is wrong, in a sentence. */
  @IsText() msg!: string;
  /** What kind of mistake it is, for example `missing` or `string_type`; stable. */
  @IsText() type!: string;
}

/** Body of every 422. */
export class ValidationErrorDto {
  /** What is wrong, in the order of the fields, at most 100 entries. */
  @NestedList(() => ValidationIssueDto) detail!: ValidationIssueDto[];
}

/** Body of every other error. */
export class ErrorDto {
  /** What went wrong, in a sentence. */
  @IsText() detail!: string;
  /** `<area.reason>`, stable. */
  @IsText() code!: string;
}
