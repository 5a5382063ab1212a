import type { QueueCheckDto, SystemCheckDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { EngineChecks } from './engine-checks.js';
import { SystemRepository } from './system.repository.js';

const TIMEOUT_MS = 2_000;
const CACHED_MS = 2_000;
const WORKER_SEEN_SECONDS = 15;
/** The engine that every installation has. */
const ENGINE = 'embedded';

/** A result, and whether everything is well. */
export interface SystemCheck {
  status: 200 | 503;
  body: SystemCheckDto;
}

/** Whether jobs would be trained now. Many callers share one check. */
@Injectable()
export class SystemCheckService {
  private last: { at: number; check: Promise<SystemCheck> } | undefined;

  constructor(
    private readonly system: SystemRepository,
    private readonly engines: EngineChecks,
  ) {}

  check(): Promise<SystemCheck> {
    const now = performance.now();
    if (!this.last || now - this.last.at > CACHED_MS) this.last = { at: now, check: this.checkNow() };
    return this.last.check;
  }

  private async checkNow(): Promise<SystemCheck> {
    const isTrainerSeen = succeeds(this.assertWorkerSeen());
    const [database, cpuQueue, servers] = await Promise.all([
      succeeds(this.system.ping()),
      this.checkCpuQueue(isTrainerSeen),
      this.engines.check(TIMEOUT_MS, isTrainerSeen),
    ]);
    const isWell = database && cpuQueue.success && servers.queue.success;
    return {
      status: isWell ? 200 : 503,
      body: {
        api: true,
        database,
        cpu_queue: cpuQueue,
        gpu_queue: servers.queue,
        engines: servers.engines,
      },
    };
  }

  private async checkCpuQueue(isTrainerSeen: Promise<boolean>): Promise<QueueCheckDto> {
    const start = performance.now();
    const [canClaim, isSeen] = await Promise.all([succeeds(this.system.tryClaim(TIMEOUT_MS)), isTrainerSeen]);
    const errors = [
      ...(canClaim ? [] : ['Jobs cannot be claimed.']),
      ...(isSeen ? [] : [`No trainer was heard of in the last ${WORKER_SEEN_SECONDS} s.`]),
    ];
    return { success: errors.length === 0, duration: (performance.now() - start) / 1_000, errors };
  }

  private async assertWorkerSeen(): Promise<void> {
    if (!(await this.system.isWorkerSeen(ENGINE, WORKER_SEEN_SECONDS))) throw new Error('no worker');
  }
}

/** Whether `work` does what it should, in time. */
async function succeeds(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), TIMEOUT_MS);
  });
  const outcome = work.then(
    () => true,
    () => false,
  );
  return Promise.race([outcome, timeout]).finally(() => clearTimeout(timer));
}
