import { BodyThreads } from '@hone/platform';
import { Global, Module } from '@nestjs/common';

import { TRAINING_CONFIG, type TrainingConfig } from '../../config/training.config.js';
import { BodiesBusyError } from './large-bodies.errors.js';

/** An idle thread is kept for the next body; its memory is released after this. */
const IDLE_MS = 10_000;
/** No body that is within its limits needs as much. */
const MAX_HEAP_MIB = 4_096;

const BODY_THREADS = {
  provide: BodyThreads,
  useFactory: ({ largeBodiesAtOnce, largeBodyWaitMs }: TrainingConfig) =>
    new BodyThreads({
      maxThreads: largeBodiesAtOnce,
      idleMs: IDLE_MS,
      maxHeapMiB: MAX_HEAP_MIB,
      maxWait: { ms: largeBodyWaitMs, toError: () => new BodiesBusyError() },
    }),
  inject: [TRAINING_CONFIG],
};

/** Threads for large bodies, for every feature. */
@Global()
@Module({ providers: [BODY_THREADS], exports: [BodyThreads] })
export class LargeBodiesModule {}
