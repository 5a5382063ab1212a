import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { JobRights } from './job-rights.service.js';

/** Jobs whose items are leased. */
@Module({ imports: [AccessModule], providers: [JobRights], exports: [JobRights] })
export class QueueModule {}
