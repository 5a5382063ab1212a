import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { GatewayModule } from '../gateway/gateway.module.js';
import { KindsModule } from '../kinds/kinds.module.js';
import { ScorersModule } from '../scorers/scorers.module.js';
import { GradeController } from './grade.controller.js';
import { GradeService } from './grade.service.js';
import { Graders } from './graders.service.js';

/** Rewards of answers, made of what scorers find. */
@Module({
  imports: [AccessModule, GatewayModule, KindsModule, ScorersModule],
  controllers: [GradeController],
  providers: [GradeService, Graders],
  exports: [Graders],
})
export class GradingModule {}
