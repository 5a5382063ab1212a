/** `@hone/evaluation-results`: the calls of evaluation runs, which of their predictions count, and the rows they miss. */
export { isOfKind, type WantedAttributes } from './call-kinds.sql.js';
export { type PlannedRun, type PlannedTable, planRuns, type PlanSources, type RunCall } from './run-plan.js';
export { countStatuses, type StatusCounts } from './statuses.sql.js';
export { digestOf, EXAMPLE, IS_PREDICTION, IS_SDK_SCORER, OUTPUT_OF_SDK, sdkFailures, trialsOf } from './trials.sql.js';
