export { describeTrainingEngine } from './describe-training-engine.js';
export type { EngineUnderTest, SampledAnswer } from './engine-under-test.js';
export { finish, RecordingSink } from './recording-sink.js';
export { anRlSpec, anSftSpec, someRows } from './training-specs.js';
