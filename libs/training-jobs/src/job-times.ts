/** Times of the job protocol, in seconds; fractions are fine. All processes of an installation use the same ones. */
export interface JobTimes {
  /** A worker without a heartbeat for this long has lost its job. */
  readonly leaseSeconds: number;
  /** How often a worker extends its lease. */
  readonly heartbeatSeconds: number;
  /** Longest wait in the queue; starts anew when a job is requeued. */
  readonly queueDeadlineSeconds: number;
  /** From the first claim on. */
  readonly runDeadlineSeconds: number;
  /** Longest time without a gradient step. */
  readonly stallSeconds: number;
  /** Time that a worker has to stop after a cancel. */
  readonly cancelGraceSeconds: number;
  /** Delay of the first retry; each later one waits four times as long as the one before. */
  readonly retryDelaySeconds: number;
  /** Most attempts: a failure of the last one ends the job. */
  readonly maxFailures: number;
}

export const DEFAULT_JOB_TIMES: JobTimes = {
  leaseSeconds: 30,
  heartbeatSeconds: 5,
  queueDeadlineSeconds: 86_400,
  runDeadlineSeconds: 21_600,
  stallSeconds: 1_800,
  cancelGraceSeconds: 60,
  retryDelaySeconds: 1,
  maxFailures: 3,
};

/** As `Environment` of the platform reads a variable. */
interface Variables {
  text(name: string, expected: string, isRight: (value: string) => boolean, fallback?: string): string;
}

const VARIABLES: Record<keyof JobTimes, string> = {
  leaseSeconds: 'HONE_TRAINING_LEASE_S',
  heartbeatSeconds: 'HONE_TRAINING_HEARTBEAT_S',
  queueDeadlineSeconds: 'HONE_TRAINING_QUEUE_DEADLINE_S',
  runDeadlineSeconds: 'HONE_TRAINING_RUN_DEADLINE_S',
  stallSeconds: 'HONE_TRAINING_STALL_S',
  cancelGraceSeconds: 'HONE_TRAINING_CANCEL_GRACE_S',
  retryDelaySeconds: 'HONE_TRAINING_RETRY_DELAY_S',
  maxFailures: 'HONE_TRAINING_MAX_FAILURES',
};
const MAX_SECONDS = 31_536_000;

/** Reads `HONE_TRAINING_*`; what is not set has its default. */
export function readJobTimes(variables: Variables): JobTimes {
  const read = ([field, name]: [string, string]): [string, number] => {
    const isCount = field === 'maxFailures';
    const pattern = isCount ? /^\d{1,3}$/ : /^\d+(\.\d+)?$/;
    const max = isCount ? 100 : MAX_SECONDS;
    const expected = isCount ? `an integer from 1 to ${max}` : `seconds above 0 and up to ${max}, such as 30 or 0.5`;
    const isRight = (value: string) => pattern.test(value) && Number(value) > 0 && Number(value) <= max;
    const fallback = String(DEFAULT_JOB_TIMES[field as keyof JobTimes]);
    return [field, Number(variables.text(name, expected, isRight, fallback))];
  };
  return Object.fromEntries(Object.entries(VARIABLES).map(read)) as unknown as JobTimes;
}
