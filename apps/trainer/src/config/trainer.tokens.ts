/** Injection tokens of what libraries provide, and of what is put together from it. */
export const ARTIFACT_STORE = Symbol('ArtifactStore');
export const JOB_LEASE = Symbol('JobLease');
export const JOB_ENGINES = Symbol('JobEngines');
export const REMOTE_ENGINES = Symbol('RemoteEngines');
export const ENGINE_MODELS = Symbol('EngineModels');
export const ATTEMPT_RUNNER = Symbol('AttemptRunner');
