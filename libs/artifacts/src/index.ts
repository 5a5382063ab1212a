export * from './artifact-store.js';
export * from './artifact.errors.js';
export { LocalArtifactStore } from './local/local-artifact-store.js';
export * from './open-artifact-store.js';
