import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { KindsModule } from '../kinds/kinds.module.js';
import { ScorersModule } from '../scorers/scorers.module.js';
import { ScoringsController } from './scorings.controller.js';
import { ScoringsRepository } from './scorings.repository.js';
import { ScoringsService } from './scorings.service.js';

@Module({
  imports: [AccessModule, KindsModule, ScorersModule],
  controllers: [ScoringsController],
  providers: [ScoringsRepository, ScoringsService],
  exports: [ScoringsRepository],
})
export class ScoringsModule {}
