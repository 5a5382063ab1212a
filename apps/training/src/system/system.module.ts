import { Module } from '@nestjs/common';

import { JobProtocolModule } from '../job-protocol/job-protocol.module.js';
import { EngineChecks } from './engine-checks.js';
import { SystemController } from './system.controller.js';
import { SystemRepository } from './system.repository.js';
import { SystemCheckService } from './system-check.service.js';

@Module({
  imports: [JobProtocolModule],
  controllers: [SystemController],
  providers: [SystemCheckService, SystemRepository, EngineChecks],
})
export class SystemModule {}
