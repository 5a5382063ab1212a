import { Module } from '@nestjs/common';

import { TypedObjectsModule } from '../typed-objects/typed-objects.module.js';
import { ScorerService } from './scorer.service.js';
import { ScorersController } from './scorers.controller.js';

@Module({ imports: [TypedObjectsModule], controllers: [ScorersController], providers: [ScorerService] })
export class ScorersModule {}
