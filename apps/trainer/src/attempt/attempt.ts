import type { JobEngine } from '../engines/job-engine.js';
import type { ResolvedJob } from '../planning/resolved-job.js';
import type { LeaseKeeper } from './lease-keeper.js';

/** One attempt at a job, from the claim to its checkpoint. */
export interface Attempt extends ResolvedJob {
  readonly engine: JobEngine;
  readonly keeper: LeaseKeeper;
  /** Aborted: stop soon, with a resume point. */
  readonly drain: AbortSignal;
}
