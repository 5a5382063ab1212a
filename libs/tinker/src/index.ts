export {
  EMBEDDED,
  engineFor,
  type EngineList,
  type EngineSettings,
  type TinkerSettings,
} from './configuration/engine-settings.js';
export { readEnginesConfig } from './configuration/engines.config.js';
export * from './tinker.errors.js';
export { type EngineState, remoteConfigOf } from './training/engine-state.js';
export { deleteWeights } from './training/kept-weights.js';
export type { ModelRegistry, RemoteModelRecord, RemoteWeightsRecord } from './training/model-registry.js';
export { unloadModel } from './training/remote-session.js';
export { TinkerTrainingEngine } from './training/tinker-training-engine.js';
export type { EngineObserver, RequestOutcome, StepSeconds } from './wire/engine-observer.js';
export { TinkerClient } from './wire/tinker-client.js';
