import { Slots, TaskThreads } from '@hone/threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import type { ComparisonAnswer, ComparisonOrder } from './assembly/comparison-order.js';
import { TASK } from './comparison.task.js';
import { ComparisonsBusyError, ComparisonTooLargeError } from './comparisons.errors.js';

/** One: a comparison takes a processor, which other work needs as well. */
const MAX_THREADS = 1;
/** One is read while another is computed. More would hold the memory of what they read. */
const MAX_AT_ONCE = 2;
const MAX_WAIT_MS = 30_000;
const MAX_HEAP_MIB = 1_024;
const IDLE_MS = 30_000;
/** A comparison of the largest permitted size takes some twenty seconds. */
const LIMIT_MS = 60_000;

/** Computes comparisons in a thread, as they take seconds of a processor, and few at once. */
@Injectable()
export class ComparisonThreads implements OnApplicationShutdown {
  private readonly slots = new Slots(MAX_AT_ONCE, { ms: MAX_WAIT_MS, toError: () => new ComparisonsBusyError() });
  private readonly threads = new TaskThreads({ maxThreads: MAX_THREADS, idleMs: IDLE_MS, maxHeapMiB: MAX_HEAP_MIB });

  /**
   * @param work reads and computes a comparison, when it is its turn
   * @throws what `work` throws
   * @throws ComparisonsBusyError others took their turn for too long
   */
  async run<Found>(work: () => Promise<Found>): Promise<Found> {
    await this.slots.enter();
    try {
      return await work();
    } finally {
      this.slots.leave();
    }
  }

  /** Within `run`. @throws ComparisonTooLargeError it takes too long */
  async compute(order: ComparisonOrder): Promise<ComparisonAnswer> {
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
