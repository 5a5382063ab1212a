export { EMBEDDED_CAPABILITIES, EmbeddedTrainingEngine } from './embedded-training-engine.js';
export { ProcessDeath, watchExit } from './process-death.js';
export { BaseChangedError, OutOfMemoryError, TrainingFailedError } from './job.errors.js';
export type {
  EngineCapabilities,
  RunResult,
  RunSignals,
  StepMetrics,
  TrainingEngine,
  TrainingSink,
} from './training-engine.js';
export { lossSettingsOf } from './loss-settings-of.js';
export { readPlan } from './read-plan.js';
export { type OtherModels, prepareRow } from './rl-preparation.js';
export { toScored } from './scored-sequences.js';
export { PreferenceSteps } from './preference-steps.js';
export { settleSftRow } from './sft-row.js';
export { preferenceMetrics, rlMetrics, sftMetrics } from './step-metrics.js';
export { type StoppingProgress, StoppingRule, type StoppingSettings } from './stopping-rule.js';
export { hasSameLoss, lossOf, type TrainedLoss } from './trained-loss.js';
export { trainedPositions } from './trained-positions.js';
export { heldOutOf } from './held-out.js';
export type { HeldOut } from './validation.js';
export { NonFiniteLossError } from '../train/train.errors.js';
export { type TrainedPart, trainedLayout } from '../train/trained-parameters.js';
export { freshState, Trainer } from '../train/trainer.js';
export type { Scorer, TrainSequence } from '../train/train-sequence.js';
export type { StoredPart, TrainingSpec } from './training-spec.js';
