import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { KindsModule } from '../kinds/kinds.module.js';
import { ScorersModule } from '../scorers/scorers.module.js';
import { ScoringsModule } from '../scorings/scorings.module.js';
import { MonitorQueueRepository } from './monitor-queue.repository.js';
import { MonitorWorker } from './monitor-worker.js';
import { MonitorsController } from './monitors.controller.js';
import { MonitorsRepository } from './monitors.repository.js';
import { MonitorsService } from './monitors.service.js';

@Module({
  imports: [AccessModule, KindsModule, ScorersModule, ScoringsModule],
  controllers: [MonitorsController],
  providers: [MonitorsRepository, MonitorQueueRepository, MonitorsService, MonitorWorker],
})
export class MonitorsModule {}
