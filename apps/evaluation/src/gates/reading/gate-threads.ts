import { TaskThreads } from '@hone/threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import type { GateLook } from '../decision/gate-looks.js';
import { type LooksOrder, TASK as LOOKS } from './due-looks.task.js';
import { type PairsOrder, type ReadPairs } from './read-pairs.js';
import { TASK as PAIRS } from './read-pairs.task.js';

const MAX_HEAP_MIB = 1_024;
const IDLE_MS = 30_000;
const LIMIT_MS = 60_000;

/** Pairs answers and computes intervals in a thread, one at a time: nobody waits for them. */
@Injectable()
export class GateThreads implements OnApplicationShutdown {
  private readonly threads = new TaskThreads({ maxThreads: 1, idleMs: IDLE_MS, maxHeapMiB: MAX_HEAP_MIB });

  read(order: PairsOrder): Promise<ReadPairs> {
    return this.threads.run(PAIRS, order, { limitMs: LIMIT_MS });
  }

  look(order: LooksOrder): Promise<GateLook[]> {
    return this.threads.run(LOOKS, order, { limitMs: LIMIT_MS });
  }

  onApplicationShutdown(): Promise<void> {
    return this.threads.close();
  }
}
