export { BUNDLED_MODELS, EmbeddedModels, type EmbeddedModelsOptions } from './embedded-models.js';
export { EmbeddedTarget } from './embedded-target.js';
export type { Refusal, RequestIssue } from './request/request-issue.js';
