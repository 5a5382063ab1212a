export * from './app/create-app.js';
export * from './app/run-service.js';
export * from './config/app-options.js';
export * from './config/index.js';
export * from './config/ref-scheme.js';
export * from './config/when-database-is-up.js';
export * from './errors/domain-error.js';
export * from './errors/error.filter.js';
export * from './errors/platform.errors.js';
export * from './errors/validation.error.js';
export type * from './http/body-translation.js';
export * from './openapi/answers.decorator.js';
export * from './openapi/answers-errors.decorator.js';
export * from './http/caller-left.decorator.js';
export { checked } from './http/contract.pipe.js';
export { AsLines, LinesAnswer } from './http/lines-answer.js';
export * from './http/name.pipes.js';
export { sendContinue } from './http/expect-continue.js';
export * from './http/read-body.js';
export * from './http/request-body.js';
export * from './openapi/takes-large-body.decorator.js';
export * from './http/takes-query.decorator.js';
export { type FormFile, type FormPart, isFile, readForm } from './http/uploads/read-form.js';
export * from './http/uploads/receive-body.js';
export * from './errors/startup.error.js';
export * from './http/streamed-body.js';
export * from './idempotency/idempotency.interceptor.js';
export * from './idempotency/idempotency.repository.js';
export * from './idempotency/idempotent-writes.js';
export {
  type BodyTask,
  bodyTask,
  checkTask,
  contentOf,
  outcomeOf,
  type ReadOutcome,
} from './large-bodies/body-task.js';
export * from './large-bodies/body-threads.js';
export { fromClonable } from './large-bodies/cloned-json.js';
export { isHeavy } from './large-bodies/heavy-body.js';
export * from './large-bodies/body.interceptor.js';
export { checksHeavyBodies } from './large-bodies/check.interceptor.js';
export * from './metrics/fast-histogram.js';
export * from './metrics/label-cells.js';
export * from './errors/refuses.decorator.js';
export {
  ApiBasicAuth,
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiExcludeController,
  ApiExcludeEndpoint,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiResponse,
  ApiSecurity,
} from './openapi/api.decorators.js';
export * from './openapi/openapi.js';
export * from './openapi/route-handlers.js';
export * from './errors/disk-full.js';
export * from './errors/disk-state.js';
export * from './probes/open-route.decorator.js';
export * from './probes/readiness.js';
export * from './process/process-start.js';
export { PeriodicJob } from './jobs/periodic-job.js';
