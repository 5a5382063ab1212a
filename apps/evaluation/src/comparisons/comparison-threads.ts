import { TaskThreads } from '@hone/threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import type { ComparisonAnswer, ComparisonOrder } from './assembly/comparison-order.js';
import { TASK } from './comparison.task.js';
import { ComparisonsBusyError, ComparisonTooLargeError } from './comparisons.errors.js';

/** One: a comparison takes a processor, which other work needs as well. */
const MAX_THREADS = 1;
const MAX_HEAP_MIB = 1_024;
const IDLE_MS = 30_000;
/** A comparison of the largest permitted size takes some twenty seconds. */
const LIMIT_MS = 60_000;
const MAX_WAIT_MS = 30_000;

/** Threads in which comparisons are computed: they take seconds of a processor. */
@Injectable()
export class ComparisonThreads implements OnApplicationShutdown {
  private readonly threads = new TaskThreads({
    ...{ maxThreads: MAX_THREADS, idleMs: IDLE_MS, maxHeapMiB: MAX_HEAP_MIB },
    maxWait: { ms: MAX_WAIT_MS, toError: () => new ComparisonsBusyError() },
  });

  /** @throws ComparisonTooLargeError it takes too long @throws ComparisonsBusyError */
  async run(order: ComparisonOrder): Promise<ComparisonAnswer> {
    try {
      return await this.threads.run(TASK, order, { limitMs: LIMIT_MS });
    } catch (error) {
      if ((error as Error).name === 'AbortError') throw ComparisonTooLargeError.ofTime(LIMIT_MS);
      throw error;
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.threads.close();
  }
}
