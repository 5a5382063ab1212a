/** Injection tokens of what has no class of its own. */
export const ARTIFACT_STORE = Symbol('ArtifactStore');
export const JOB_ENGINES = Symbol('JobEngines');
export const REMOTE_ENGINES = Symbol('RemoteEngines');
