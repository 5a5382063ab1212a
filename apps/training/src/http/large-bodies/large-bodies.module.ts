import { Global, Module } from '@nestjs/common';

import { BodyThreads } from './body-threads.js';

/** Threads for large bodies, for every feature. */
@Global()
@Module({ providers: [BodyThreads], exports: [BodyThreads] })
export class LargeBodiesModule {}
