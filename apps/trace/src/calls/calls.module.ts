import { Module } from '@nestjs/common';

import { FeedbackModule } from '../feedback/feedback.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { ValuesModule } from '../values/values.module.js';
import { CallSelector } from './call-selector.js';
import { CallsController } from './calls.controller.js';
import { PriceRepository } from './pricing/price.repository.js';
import { CallReadRepository } from './reads/call-read.repository.js';
import { CallReadService } from './reads/call-read.service.js';
import { ObjectRefs } from './reads/object-refs.js';
import { SettingsRepository } from './settings/settings.repository.js';
import { CallChangeRepository } from './writes/call-change.repository.js';
import { CallChangeService } from './writes/call-change.service.js';
import { CallWriteRepository } from './writes/call-write.repository.js';
import { CallWriteService } from './writes/call-write.service.js';
import { CallWritesController } from './writes/call-writes.controller.js';
import { ProjectCallsController } from './writes/project-calls.controller.js';

/** Traced executions. `writes`: halves and whole calls on their way in; `reads`: lists; `pricing`: what calls cost. */
@Module({
  imports: [FeedbackModule, ObjectsModule, ValuesModule],
  controllers: [CallsController, CallWritesController, ProjectCallsController],
  providers: [
    CallSelector,
    CallReadService,
    CallReadRepository,
    ObjectRefs,
    PriceRepository,
    SettingsRepository,
    CallChangeService,
    CallChangeRepository,
    CallWriteService,
    CallWriteRepository,
  ],
})
export class CallsModule {}
