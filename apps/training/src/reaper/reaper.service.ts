import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { JobReaper } from '@hone/training-jobs';

const INTERVAL_MS = 5_000;

/** Every 5 s, in each process: ends or requeues jobs past a deadline, without a live lease, or stalled. */
@Injectable()
export class ReaperService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(ReaperService.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly reaper: JobReaper) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running ??= this.run().finally(() => (this.running = undefined));
    }, INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
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
