import { Module } from '@nestjs/common';

import { ObjectsModule } from '../objects/objects.module.js';
import { EvaluationService } from './evaluation.service.js';
import { EvaluationsController } from './evaluations.controller.js';

@Module({ imports: [ObjectsModule], controllers: [EvaluationsController], providers: [EvaluationService] })
export class EvaluationsModule {}
