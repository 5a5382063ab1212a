import { CALL_QUERY_FIELDS, COST_QUERY_FIELDS, FEEDBACK_QUERY_FIELDS, IsExpression } from './query-expression.js';

/** A condition on stored records, of at most 32 levels and 1,000 nodes. */
export class QueryDto {
  /** The condition: an expression of operators, fields and literals. */
  @IsExpression(FEEDBACK_QUERY_FIELDS) $expr!: Record<string, unknown>;
}

/** A condition on calls, of at most 32 levels and 1,000 nodes. */
export class CallConditionDto {
  /** The condition: an expression of operators, fields and literals. */
  @IsExpression(CALL_QUERY_FIELDS) $expr!: Record<string, unknown>;
}

/** A condition on prices, of at most 32 levels and 1,000 nodes. */
export class CostConditionDto {
  /** The condition: an expression of operators, fields and literals. */
  @IsExpression(COST_QUERY_FIELDS) $expr!: Record<string, unknown>;
}
