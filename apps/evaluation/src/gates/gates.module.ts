import { PricesRepository } from '@hone/calls';
import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { ComparisonsModule } from '../comparisons/comparisons.module.js';
import { LabelsModule } from '../labels/labels.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { ScorersModule } from '../scorers/scorers.module.js';
import { GateAdvance } from './gate-advance.service.js';
import { GateLabels } from './gate-labels.service.js';
import { GateWorker } from './gate-worker.js';
import { GatesController } from './gates.controller.js';
import { GatesRepository } from './gates.repository.js';
import { GatesService } from './gates.service.js';
import { GateSource } from './reading/gate-source.service.js';
import { GateThreads } from './reading/gate-threads.js';
import { GateSettingsReader } from './settings/gate-settings.service.js';

/** Decisions between a current model and a candidate. */
@Module({
  imports: [AccessModule, QueueModule, ComparisonsModule, LabelsModule, ScorersModule],
  controllers: [GatesController],
  providers: [
    PricesRepository,
    GatesService,
    GatesRepository,
    GateSettingsReader,
    GateLabels,
    GateSource,
    GateThreads,
    GateAdvance,
    GateWorker,
  ],
  exports: [GatesService],
})
export class GatesModule {}
