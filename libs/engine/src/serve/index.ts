export type { PromptTokenReport, TokenReport } from '../decode/batch/generation-event.js';
export {
  type EndingRules,
  type GenerationRequest,
  PLAIN_ENDING,
  PLAIN_REQUEST,
} from '../decode/batch/generation-request.js';
export type { ConstraintSource, JsonStyle } from '../decode/constraints/constraint.js';
export type { TokenLogProbability } from '../decode/sampling/log-probabilities.js';
export { PLAIN_SAMPLING, type SamplingSettings } from '../decode/sampling/sampling-settings.js';
export { EngineThreadError } from '../decode/error-message.js';
export { baseNameOf } from './base-name.js';
export type { CheckpointChoice, ServedBaseInfo } from './serve-messages.js';
export {
  DEFAULT_MAX_CHECKPOINT_BYTES,
  DEFAULT_SILENCE_MS,
  ServingEngine,
  type ServingEngineOptions,
} from './serving-engine.js';
