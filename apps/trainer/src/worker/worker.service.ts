import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { NotificationListener } from '@hone/database';
import { type ClaimedJob, JobLease, type JobNotification, JOBS_CHANNEL } from '@hone/training-jobs';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { AttemptRunner, type RunningAttempt } from '../attempt/attempt-runner.js';
import { JOB_ENGINES } from '../config/trainer.tokens.js';
import type { JobEngine } from '../engines/job-engine.js';
import { TrainerLog } from '../telemetry/trainer-log.js';
import type { AttemptOutcome } from '../telemetry/trainer-metrics.js';
import { WakeUp } from './wake-up.js';
import { WorkerRepository } from './worker.repository.js';

const POLL_MS = 1_000;
/** Longest backoff before the worker tries an unreachable or full engine again. */
const MAX_WAIT_MS = 30_000;
const SEEN_EVERY_MS = 5_000;
/** Time for the engines to finish their step and write a resume point after a drain has begun. */
const DRAIN_MS = 7_000;
/** Time for the attempts to requeue their jobs after that. */
const STOP_MS = 1_500;
const VERSION = '0.1.0';

/** Claims and runs jobs, as many concurrently as configured, until the process stops. */
@Injectable()
export class WorkerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  private readonly wakeUp = new WakeUp();
  private readonly drain = new AbortController();
  private readonly running = new Set<RunningAttempt>();
  private lanes: Promise<void>[] = [];
  private seenTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly jobs: JobLease,
    private readonly attempts: AttemptRunner,
    @Inject(JOB_ENGINES) private readonly engines: readonly JobEngine[],
    private readonly workers: WorkerRepository,
    private readonly listener: NotificationListener,
    private readonly log: TrainerLog,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.listener.listen(JOBS_CHANNEL, (payload) => this.onNotification(payload));
    this.listener.onGap(() => this.wakeUp.wakeAll());
    await this.markSeen();
    this.seenTimer = setInterval(() => void this.markSeen(), SEEN_EVERY_MS);
    this.lanes = this.engines.flatMap((engine) => Array.from({ length: engine.concurrency }, () => this.work(engine)));
  }

  /** Drains: stops the running jobs with a resume point, and requeues them. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.seenTimer);
    this.drain.abort();
    this.wakeUp.wakeAll();
    const ended = Promise.all(this.lanes);
    await Promise.race([ended, sleep(DRAIN_MS, undefined, { ref: false })]);
    for (const { keeper } of this.running) keeper.stop('stopping');
    await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
    await this.workers.delete(this.id).catch(() => undefined);
  }

  private async work(engine: JobEngine): Promise<void> {
    let waits = 0;
    while (!this.drain.signal.aborted) {
      const claimed = await this.claim(engine);
      if (!claimed) {
        await this.wakeUp.sleep(POLL_MS);
        continue;
      }
      waits = (await this.carryOut(claimed, engine)) === 'postponed' ? waits + 1 : 0;
      if (waits > 0) await this.waitFor(engine, waits);
    }
  }

  /** Backs off from an unreachable or full engine, for longer each time. */
  private async waitFor(engine: JobEngine, waits: number): Promise<void> {
    const { signal } = this.drain;
    const pause = () =>
      sleep(Math.min(MAX_WAIT_MS, POLL_MS * 2 ** waits), undefined, { signal }).catch(() => undefined);
    await pause();
    while (!signal.aborted && !(await engine.isReachable(signal))) await pause();
  }

  private async claim({ choice }: JobEngine): Promise<ClaimedJob | null> {
    try {
      return await this.jobs.claim(this.id, choice);
    } catch (error) {
      this.log.warn({ err: error }, 'no job could be claimed');
      return null;
    }
  }

  private async carryOut(claimed: ClaimedJob, engine: JobEngine): Promise<AttemptOutcome> {
    const attempt = this.attempts.start(claimed, engine, this.drain.signal);
    this.running.add(attempt);
    void this.markSeen();
    const outcome = await attempt.ended;
    this.running.delete(attempt);
    void this.markSeen();
    return outcome;
  }

  /** Reacts to a notification: a running job may have been cancelled, or a new job queued. */
  private onNotification(payload: string): void {
    const { job_id } = JSON.parse(payload) as JobNotification;
    for (const { jobId, keeper } of this.running) if (jobId === job_id) void keeper.ask();
    this.wakeUp.wakeAll();
  }

  private async markSeen(): Promise<void> {
    const [first] = this.running;
    const record = { id: this.id, host: hostname(), version: VERSION, engines: this.engines.map(({ name }) => name) };
    await this.workers.markSeen(record, first?.jobId ?? null).catch((error: unknown) => {
      this.log.warn({ err: error }, 'the heartbeat of the worker could not be written');
    });
  }
}
