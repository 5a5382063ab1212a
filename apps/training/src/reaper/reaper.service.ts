import { PeriodicJob } from '@hone/platform';
import { JobReaper } from '@hone/training-jobs';
import { Injectable, Logger } from '@nestjs/common';

const INTERVAL_MS = 5_000;

/** Every 5 s, in each process: ends or requeues jobs past a deadline, without a live lease, or stalled. */
@Injectable()
export class ReaperService extends PeriodicJob {
  private readonly log = new Logger(ReaperService.name);

  constructor(private readonly reaper: JobReaper) {
    super(INTERVAL_MS);
  }

  /** One pass. Never throws: the next one tries again. */
  async run(): Promise<void> {
    try {
      for (const { jobId, reason, status } of await this.reaper.reap()) {
        this.log.warn(`job ${jobId}: ${reason}, now ${status}`);
      }
    } catch (error) {
      this.log.warn(`reaping failed: ${error instanceof Error ? error.name : 'unknown'}`);
    }
  }
}
