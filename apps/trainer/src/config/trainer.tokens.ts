/** Injection tokens of providers that are no classes. */
export const ARTIFACT_STORE = Symbol('ArtifactStore');
export const JOB_ENGINES = Symbol('JobEngines');
export const REMOTE_ENGINES = Symbol('RemoteEngines');
