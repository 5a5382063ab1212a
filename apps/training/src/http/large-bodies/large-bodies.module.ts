import { Global, Module } from '@nestjs/common';

import { TaskThreads } from './task-threads.js';

/** Threads for large bodies, for every feature. */
@Global()
@Module({ providers: [TaskThreads], exports: [TaskThreads] })
export class LargeBodiesModule {}
