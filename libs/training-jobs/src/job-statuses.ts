import { TRAINING_JOB_STATUSES } from '@hone/contracts';

import type { JobStatus } from './job-record.js';

/** Queued; active: a worker has its lease, at most one job of a model at a time; over, which is final. */
export type JobStage = 'queued' | 'active' | 'over';

const STAGES: Readonly<Record<JobStatus, JobStage>> = {
  queued: 'queued',
  preparing: 'active',
  running: 'active',
  cancelling: 'active',
  cancelled: 'over',
  succeeded: 'over',
  failed: 'over',
};

/** The statuses of these stages, in the order of a job's life. */
export const statusesOf = (...stages: readonly JobStage[]): readonly JobStatus[] =>
  TRAINING_JOB_STATUSES.filter((status) => stages.includes(STAGES[status]));

export const isTerminal = (status: JobStatus): boolean => STAGES[status] === 'over';
