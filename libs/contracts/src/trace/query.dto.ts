import { IsExpression } from './query-expression.js';

/** A condition on stored records, of at most 32 levels and 1,000 nodes. */
export class QueryDto {
  /** The condition: an expression of operators, fields and literals. */
  @IsExpression() $expr!: Record<string, unknown>;
}
