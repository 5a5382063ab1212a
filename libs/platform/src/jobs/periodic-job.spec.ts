import { setTimeout as sleep } from 'node:timers/promises';

import { PeriodicJob } from './periodic-job.js';

const EVERY_MS = 3_600_000;
/** Far less than a job may hold up the others. */
const WORK_MS = 5;

describe('PeriodicJob', () => {
  let events: string[];
  beforeEach(() => {
    events = [];
  });

  class Job extends PeriodicJob {
    constructor(
      private readonly name: string,
      runsHere = true,
    ) {
      super(EVERY_MS, 0);
      Object.assign(this, { runsHere });
    }

    override async run(): Promise<void> {
      events.push(`${this.name} begins`);
      await sleep(WORK_MS);
      events.push(`${this.name} ends`);
    }
  }

  /** Until so many things have happened. */
  const start = async (jobs: readonly Job[], count: number): Promise<void> => {
    for (const job of jobs) job.onApplicationBootstrap();
    while (events.length < count) await sleep(1);
    for (const job of jobs) job.onApplicationShutdown();
  };

  it('begins its run when that of another job has ended', async () => {
    await start([new Job('one'), new Job('two')], 4);
    expect(events).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });

  it('does not run where jobs do not, nor after the end', async () => {
    const [ended, last] = [new Job('ended'), new Job('last')];
    ended.onApplicationBootstrap();
    ended.onApplicationShutdown();
    await start([new Job('elsewhere', false), last], 2);
    expect(events).toEqual(['last begins', 'last ends']);
  });
});
