import { setTimeout as sleep } from 'node:timers/promises';

import { Inject, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { Turns } from './turns.js';

/** Whether periodic jobs run by themselves in this application: see `AppOptions.runsJobs`. */
export const RUNS_JOBS = Symbol('RUNS_JOBS');

/**
 * Jobs of a process look for work one after the other, so that an idle one needs one connection: a backend of Postgres holds
 * 14 MiB and more. A job that found some holds up the others no longer than this.
 */
const TURN_MS = 100;
const turns = new Turns(() => sleep(TURN_MS, undefined, { ref: false }));

/**
 * Work that a service does again and again beside its requests. Its runs in one process never overlap. One that fails says so
 * nowhere: the next one does what it left.
 */
export abstract class PeriodicJob implements OnApplicationBootstrap, OnApplicationShutdown {
  @Inject(RUNS_JOBS) private readonly runsHere!: boolean;
  /** Long runs end early. */
  protected isStopping = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param firstMs from the start of the service to the first run */
  protected constructor(
    private readonly everyMs: number,
    private readonly firstMs = everyMs,
  ) {}

  abstract run(): Promise<unknown>;

  onApplicationBootstrap(): void {
    if (this.runsHere) this.runIn(this.firstMs);
  }

  onApplicationShutdown(): void {
    this.isStopping = true;
    clearTimeout(this.timer);
  }

  private runIn(ms: number): void {
    if (this.isStopping) return;
    this.timer = setTimeout(() => {
      turns
        .take(async () => this.isStopping || this.run())
        .catch(() => undefined)
        .finally(() => this.runIn(this.everyMs));
    }, ms).unref();
  }
}
