export {
  CALL_FIELDS,
  callField,
  COST_FIELD,
  IS_SHOWN,
  isAmongValues,
  isCallField,
  isValueColumn,
  JOIN_VALUES,
  STATUS,
  TRACE_FIELD,
  TRACE_MODELS_FIELD,
  VALUE_COLUMNS,
  type ValueColumn,
} from './calls/call-fields.sql.js';
export { type CallSelection, filterConditions, fromSelection } from './calls/call-selection.sql.js';
export { CallSelector, type CompiledSelection, type Ways } from './calls/call-selector.js';
export { compileExpression } from './expressions/expression.js';
export { type FieldPath, parseFieldPath } from './expressions/field-path.js';
export { type FieldTable, resolveField } from './expressions/fields.js';
export { valueAt } from './expressions/json-path.js';
export { asOrder, asSortKey, asText, type Operand, type OperandKind, withoutCase } from './expressions/operand.js';
export { idsOfPurge } from './expressions/purge-ids.js';
export { unknownFields } from './expressions/unknown-fields.js';
export { FeedbackWaysRepository } from './feedback/feedback-ways.repository.js';
export { FEEDBACK_FIELDS, FEEDBACK_NAMES, feedbackField } from './feedback/feedback-fields.sql.js';
export { refOfCall } from './feedback/ref-of-call.sql.js';
export { SearchIncompleteError, SearchOffError } from './search/search.errors.js';
export { SearchWaysRepository } from './search/search-ways.repository.js';
export { type SearchState, SearchStateRepository } from './search/search-state.repository.js';
