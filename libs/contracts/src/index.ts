export * from './accounts/accounts.dto.js';
export * from './accounts/audit-query.dto.js';
export * from './errors/errors.dto.js';
export * from './evaluation/index.js';
export * from './inference/index.js';
export {
  asNumber,
  byCodePoint,
  isJsonObject,
  type JsonLimits,
  JsonNumber,
  type JsonObject,
  JsonParseError,
  type JsonValue,
  MAX_INTEGER_DIGITS,
  MAX_JSON_LEVELS,
  memberOf,
  NonFiniteNumber,
  parseJson,
  parseJsonBytes,
  RawJson,
  searchableText,
  setKey,
  stringifyJson,
  toPlainJson,
} from './json/index.js';
export * from './names/artifact-ref.js';
export * from './names/checkpoint-alias.js';
export * from './names/completion-id.js';
export * from './names/date-time.js';
export * from './names/digest.js';
export * from './names/model-refs.js';
export * from './names/names.js';
export * from './names/path-parameters.js';
export * from './names/project-id.js';
export * from './names/refs.js';
export * from './names/uuid.js';
export * from './names/version-selector.js';
export * from './query/query-rules.js';
export * from './schema/constraint.js';
export * from './schema/descriptions.js';
export * from './schema/example.js';
export * from './schema/json-schema.js';
export * from './trace/annotation-agreement.dto.js';
export * from './trace/annotation-assignments.dto.js';
export * from './trace/annotation-claims.dto.js';
export * from './trace/annotation-queues.dto.js';
export * from './trace/call-queries.dto.js';
export * from './trace/call-charts.dto.js';
export * from './trace/call-facets.dto.js';
export * from './trace/call-uses.dto.js';
export * from './trace/call-usage.dto.js';
export * from './trace/call-writes.dto.js';
export * from './trace/costs.dto.js';
export * from './trace/datasets.dto.js';
export * from './trace/eval-results.dto.js';
export * from './trace/evaluation-runs.dto.js';
export * from './trace/evaluations.dto.js';
export * from './trace/export.dto.js';
export * from './trace/feedback-statistics.dto.js';
export * from './trace/feedback.dto.js';
export * from './trace/feedback-history.dto.js';
export * from './trace/files.dto.js';
export * from './trace/labels.dto.js';
export * from './trace/models.dto.js';
export * from './trace/object-versions.dto.js';
export * from './trace/objects.dto.js';
export * from './trace/ops.dto.js';
export * from './trace/otlp.dto.js';
export * from './trace/paging.dto.js';
export * from './trace/project.dto.js';
export * from './trace/query.dto.js';
export * from './trace/refs.dto.js';
export type { TableStep } from './trace/table-rules.js';
export * from './trace/score-imports.dto.js';
export * from './trace/scorer-definition.dto.js';
export * from './trace/scorer-definition.js';
export * from './trace/scorers.dto.js';
export * from './trace/tables.dto.js';
export * from './trace/typed-objects.dto.js';
export * from './training/index.js';
export * from './validation/check.js';
export * from './issues/issue.js';
export * from './validation/rule.js';
export * from './validation/rules.js';
export * from './validation/value-map.js';
