/** Injection tokens of what libraries provide, and of what is put together from it. */
export const ARTIFACT_STORE = Symbol('ArtifactStore');
export const JOB_LEASE = Symbol('JobLease');
export const ATTEMPT_RUNNER = Symbol('AttemptRunner');
