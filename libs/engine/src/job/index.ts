export {
  EMBEDDED_CAPABILITIES,
  EmbeddedTrainingEngine,
  type EmbeddedEngineOptions,
} from './embedded-training-engine.js';
export { ProcessDeath } from './process-death.js';
export { OutOfMemoryError, SpecMismatchError, TrainingFailedError, TrainingProcessDiedError } from './job.errors.js';
export type {
  EngineCapabilities,
  RunResult,
  RunSignals,
  StepMetrics,
  TrainingEngine,
  TrainingSink,
} from './training-engine.js';
export type { RlLossSpec, StoredPart, TrainingSpec } from './training-spec.js';
