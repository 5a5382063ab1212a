export type * from './artifact-store.js';
