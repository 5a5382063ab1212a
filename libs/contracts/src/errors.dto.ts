import { NestedList } from './validation/rule.js';
import { IsJsonValue, IsText } from './validation/rules.js';

export class ValidationIssueDto {
  /** Path to the offending input: `body`, `query` or `path`, then keys and indexes. */
  @IsJsonValue({ type: 'array', items: { type: ['string', 'integer'] } }) loc!: (string | number)[];
  @IsText() msg!: string;
  @IsText() type!: string;
}

/** Body of every 422. */
export class ValidationErrorDto {
  @NestedList(() => ValidationIssueDto) detail!: ValidationIssueDto[];
}

/** Body of every other error. */
export class ErrorDto {
  /** What went wrong, in a sentence. */
  @IsText() detail!: string;
  /** `<area.reason>`, stable. */
  @IsText() code!: string;
}
