export { AdapterDamagedError, AdapterUnsupportedError, CheckpointCorruptError } from './checkpoint.errors.js';
export type { CheckpointParts, CheckpointState, KeptTensors, OptimizerMoments, TrainedWeights } from './checkpoint.js';
export type { LoraAdapter } from './lora-adapter.js';
export { verifyManifest, type Manifest, type ManifestEntry } from './manifest.js';
export { mergeAdapter } from './merge-adapter.js';
export { readPeftAdapter } from './peft-adapter.js';
export { readCheckpoint, type ReadCheckpointOptions } from './read-checkpoint.js';
export { writeCheckpoint, type WrittenCheckpoint } from './write-checkpoint.js';
