import { Database, Prisma } from '@hone/database';

import { ENDINGS, type JobError } from './job-error.js';
import { ACTIVE_STATUSES } from './job-statuses.sql.js';
import type { JobTimes } from './job-times.js';
import { JobTransitions, LOCKED_JOB_COLUMNS, type LockedJob, seconds } from './job-transitions.repository.js';

export type ReapReason = 'queue_deadline' | 'run_deadline' | 'lease_expired' | 'stalled' | 'cancel_grace';

export interface ReapedJob {
  readonly jobId: string;
  readonly reason: ReapReason;
  /** The new status. */
  readonly status: 'queued' | 'failed' | 'cancelled';
}

interface ReapRule {
  /** Of a row of `training_jobs`. */
  readonly due: Prisma.Sql;
  readonly settle: (job: LockedJob) => Promise<ReapedJob['status']>;
}

/** Most jobs of each kind in one pass, so that a pass ends. */
const MAX_PER_PASS = 500;

/** Ends or requeues jobs past a deadline, without a live lease, or stalled. Any number of processes may run it at once. */
export class JobReaper {
  private readonly transitions: JobTransitions;

  constructor(
    private readonly database: Database,
    private readonly times: JobTimes,
  ) {
    this.transitions = new JobTransitions(database, times);
  }

  /** @throws AggregateError a rule met an error; the other rules were applied */
  async reap(): Promise<ReapedJob[]> {
    const reaped: ReapedJob[] = [];
    const errors: unknown[] = [];
    for (const [reason, rule] of Object.entries(this.rules()) as [ReapReason, ReapRule][]) {
      try {
        for (let count = 0; count < MAX_PER_PASS; count++) {
          const one = await this.reapOne(reason, rule);
          if (one === null) break;
          reaped.push(one);
        }
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Some jobs could not be settled.');
    return reaped;
  }

  /** Settles each job in a transaction of its own: locks are short, and one job's error does not affect the others. */
  private reapOne(reason: ReapReason, { due, settle }: ReapRule): Promise<ReapedJob | null> {
    return this.database.transaction(async () => {
      const [job] = await this.database.client.$queryRaw<LockedJob[]>`
        SELECT ${LOCKED_JOB_COLUMNS} FROM training_jobs WHERE ${due} LIMIT 1 FOR UPDATE SKIP LOCKED`;
      return job ? { jobId: job.id, reason, status: await settle(job) } : null;
    });
  }

  private rules(): Record<ReapReason, ReapRule> {
    const { stallSeconds, cancelGraceSeconds } = this.times;
    return {
      queue_deadline: {
        due: Prisma.sql`status = 'queued' AND queue_deadline_at <= now()`,
        settle: (job) => this.fail(job, ENDINGS.queueTimeout),
      },
      run_deadline: {
        due: Prisma.sql`status IN ${ACTIVE_STATUSES} AND run_deadline_at <= now()`,
        settle: (job) => this.unlessCancelling(job, () => this.fail(job, ENDINGS.runTimeout)),
      },
      lease_expired: {
        due: Prisma.sql`status IN ${ACTIVE_STATUSES} AND lease_expires_at <= now()`,
        settle: (job) => this.unlessCancelling(job, () => this.transitions.retry(job, ENDINGS.workerLost)),
      },
      stalled: {
        due: Prisma.sql`status IN ${ACTIVE_STATUSES} AND status <> 'cancelling'
          AND last_step_at <= now() - ${seconds(stallSeconds)}`,
        settle: (job) => this.transitions.retry(job, ENDINGS.stalled),
      },
      cancel_grace: {
        due: Prisma.sql`status = 'cancelling' AND cancel_requested_at <= now() - ${seconds(cancelGraceSeconds)}`,
        settle: (job) => this.cancel(job),
      },
    };
  }

  private async fail(job: LockedJob, error: JobError): Promise<'failed'> {
    await this.transitions.end(job, 'failed', error);
    return 'failed';
  }

  private async cancel(job: LockedJob): Promise<'cancelled'> {
    await this.transitions.end(job, 'cancelled', ENDINGS.cancelled);
    return 'cancelled';
  }

  private unlessCancelling<T>(job: LockedJob, otherwise: () => Promise<T>): Promise<T | 'cancelled'> {
    return job.status === 'cancelling' ? this.cancel(job) : otherwise();
  }
}
