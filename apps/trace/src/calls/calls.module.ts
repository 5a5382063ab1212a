import { Module } from '@nestjs/common';

import { ValuesModule } from '../values/values.module.js';
import { CallWriteRepository } from './writes/call-write.repository.js';
import { CallWriteService } from './writes/call-write.service.js';
import { CallWritesController } from './writes/call-writes.controller.js';
import { ProjectCallsController } from './writes/project-calls.controller.js';

/** Traced executions. `writes`: halves and whole calls on their way in. */
@Module({
  imports: [ValuesModule],
  controllers: [CallWritesController, ProjectCallsController],
  providers: [CallWriteService, CallWriteRepository],
})
export class CallsModule {}
