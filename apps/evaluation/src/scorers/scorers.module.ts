import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { GatewayModule } from '../gateway/gateway.module.js';
import { KindsModule } from '../kinds/kinds.module.js';
import { StoredObjectsModule } from '../stored-objects/stored-objects.module.js';
import { ScorerReader } from './scorer-reader.service.js';
import { TryScorerController } from './try-scorer.controller.js';
import { TryScorerService } from './try-scorer.service.js';

/** Scorers as the trace service stores them, and what they say of a few calls. */
@Module({
  imports: [AccessModule, GatewayModule, KindsModule, StoredObjectsModule],
  controllers: [TryScorerController],
  providers: [ScorerReader, TryScorerService],
  exports: [ScorerReader],
})
export class ScorersModule {}
