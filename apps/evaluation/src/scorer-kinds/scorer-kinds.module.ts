import { Module } from '@nestjs/common';

import { ScorerKindsController } from './scorer-kinds.controller.js';
import { ScorerKindsService } from './scorer-kinds.service.js';

@Module({ controllers: [ScorerKindsController], providers: [ScorerKindsService] })
export class ScorerKindsModule {}
