import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { TaskThreads } from '@hone/threads';

import { TRAINING_CONFIG, type TrainingConfig } from '../../config/training.config.js';
import { BodiesBusyError } from './large-bodies.errors.js';

/** An idle thread is kept for the next body; its memory is released after this. */
const IDLE_MS = 10_000;
/** No body that is within its limits needs as much. */
const MAX_HEAP_MIB = 4_096;

/** A few threads for parsing and checking large bodies. A body that finds none free in time is a {@link BodiesBusyError}. */
@Injectable()
export class BodyThreads extends TaskThreads implements OnApplicationShutdown {
  constructor(@Inject(TRAINING_CONFIG) { largeBodiesAtOnce, largeBodyWaitMs }: TrainingConfig) {
    super({
      maxThreads: largeBodiesAtOnce,
      idleMs: IDLE_MS,
      maxHeapMiB: MAX_HEAP_MIB,
      maxWait: { ms: largeBodyWaitMs, toError: () => new BodiesBusyError() },
    });
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
