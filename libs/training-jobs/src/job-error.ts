/** Why a job did not succeed, as the job object shows it. */
export interface JobError {
  /** `<area>.<reason>`, for example `data.no_trainable_tokens`. */
  readonly code: string;
  readonly message: string;
  /** What to do about it, if there is something to say. */
  readonly hint: string | null;
  /** Paths in the request body, at most 20; the first is the one to look at. Null: the error has no path. */
  readonly loc: readonly (readonly (string | number)[])[] | null;
  /** Whether the same job, sent again, may succeed. */
  readonly retryable: boolean;
}

const MAX_MESSAGE_CHARACTERS = 2_000;

/** Makes an error as it may be stored: the database holds neither U+0000 nor lone surrogates; long messages are cut. */
export function jobError(
  code: string,
  message: string,
  more: Partial<Omit<JobError, 'code' | 'message'>> = {},
): JobError {
  const { hint = null, loc = null, retryable = false } = more;
  return { code, message: storable(message), hint: hint === null ? null : storable(hint), loc, retryable };
}

const storable = (text: string) => text.replaceAll('\0', '\uFFFD').slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed();

/** Ends that no engine reports. */
export const ENDINGS = {
  cancelled: jobError('job.cancelled', 'The job was cancelled.'),
  modelDeleted: jobError('job.model_deleted', 'The model was deleted.'),
  queueTimeout: jobError('job.queue_timeout', 'No worker took the job before its queue deadline.', {
    hint: 'GET /v1/system-check says whether a worker is running.',
    retryable: true,
  }),
  runTimeout: jobError('job.run_timeout', 'The job did not end before its run deadline.', {
    hint: 'Send fewer trajectories in one job, or raise HONE_TRAINING_RUN_DEADLINE_S.',
  }),
  workerLost: jobError('job.worker_lost', 'The worker of the job vanished, time after time.', {
    hint: 'Look at the memory of the machine: a process that needs too much is killed without a word.',
    retryable: true,
  }),
  stalled: jobError('engine.stalled', 'The engine made no step for too long.', { retryable: true }),
} as const satisfies Record<string, JobError>;
