/** Names one attempt of a job. Every write of a worker is good only as long as the job's row says the same. */
export interface Lease {
  readonly jobId: string;
  readonly projectId: string;
  readonly modelId: string;
  /** 1 or more; only ever grows. */
  readonly attempt: number;
  /** Id of the worker. */
  readonly owner: string;
}

/** The job is not this worker's any more, or not in a state for this: nothing was written. The worker stops. */
export class LeaseLostError extends Error {
  constructor({ jobId, attempt }: Lease) {
    super(`Attempt ${attempt} of job ${jobId} is not running any more.`);
  }
}

/** The checkpoint that the job is to start from was deleted before the job began. */
export class ParentStepNotFoundError extends Error {
  constructor(readonly step: number) {
    super(`The model has no checkpoint at step ${step} for the job to start from.`);
  }
}

/** The checkpoint that the KL penalty is to measure from does not exist, or was deleted before the job began. */
export class ReferenceStepNotFoundError extends Error {
  constructor(readonly step: number) {
    super(`The model has no checkpoint at step ${step} for the KL penalty to measure from.`);
  }
}
