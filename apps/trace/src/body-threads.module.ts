import { BodyThreads, checksHeavyBodies } from '@hone/platform';
import { Global, Module } from '@nestjs/common';

import { TASK } from './body-check.task.js';

const MAX_THREADS = 2;
/** A thread that runs out of this much memory ends, and with it the body that it was reading; the process stays. */
const MAX_HEAP_MIB = 2_048;
/**
 * After so long without a heavy body one thread is left, which has given back the memory of the bodies before: to start
 * one costs as much as ten bodies of 2 MB.
 */
const IDLE_MS = 30_000;

const BODY_THREADS = {
  provide: BodyThreads,
  useFactory: () =>
    new BodyThreads({ maxThreads: MAX_THREADS, keptThreads: 1, idleMs: IDLE_MS, maxHeapMiB: MAX_HEAP_MIB }),
};

/** Threads for heavy bodies, for every feature. */
@Global()
@Module({ providers: [BODY_THREADS, ...checksHeavyBodies(TASK)], exports: [BodyThreads] })
export class BodyThreadsModule {}
