import type { JsonValue, Loc } from '@hone/contracts';
import type { Prisma } from '@hone/database';

import type { Operand } from './operand.js';

/** What the operators of an expression mean for the records that it is about. */
export interface ExpressionContext {
  /** The operand of a field name; undefined when there is no such field. */
  resolve: (field: string) => Operand | undefined;
  refScheme: string;
  /** The condition of `$search`. Absent: these records cannot be searched. */
  search?: (argument: JsonValue, loc: Loc) => Prisma.Sql;
  /** How another call of the same trace is asked. Absent: these records have no traces. */
  ofTrace?: () => OtherRecords;
  /** How what people and judges said about the call is asked. Absent: these records have no feedback. */
  ofFeedback?: OtherRecords;
}

/** Records that belong to the one that is asked: one `$traceHas` or `$feedbackHas`. */
export interface OtherRecords {
  /** The operand of a field of another record. */
  resolve: ExpressionContext['resolve'];
  /**
   * Whether another record meets the condition.
   *
   * @param limitsTrace of feedback: stands within `$traceHas`, which is true of no call that does not meet it
   */
  exists: (condition: Prisma.Sql, limitsTrace: boolean) => Prisma.Sql;
}
