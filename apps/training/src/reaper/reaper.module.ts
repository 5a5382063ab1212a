import { Module } from '@nestjs/common';

import { JobProtocolModule } from '../job-protocol/job-protocol.module.js';
import { ReaperService } from './reaper.service.js';

@Module({ imports: [JobProtocolModule], providers: [ReaperService] })
export class ReaperModule {}
