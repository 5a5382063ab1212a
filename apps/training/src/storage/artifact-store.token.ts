/** Injection token of the `ArtifactStore`. */
export const ARTIFACT_STORE = Symbol('ArtifactStore');
