export * from './app/multipart.js';
export * from './app/path-parameters.js';
export * from './app/route-walk.js';
export * from './app/service-basics.js';
export * from './app/test-app.js';
export * from './authorisation/index.js';
export * from './database/accounts.builder.js';
export * from './database/database-dump.js';
export * from './database/statements.js';
export * from './database/test-database.js';
export * from './fake-upstream/index.js';
export * from './process/service-process.js';
export * from './until.js';

export { describeTrainingEngine } from './engine-conformance/describe-training-engine.js';
export { finish, RecordingSink } from './engine-conformance/recording-sink.js';
export { anRlSpec, anSftSpec, someRows } from './engine-conformance/training-specs.js';
export type { EngineUnderTest, SampledAnswer } from './engine-conformance/engine-under-test.js';
export * from './openapi/describe-openapi.js';
