import { Module } from '@nestjs/common';

import { TypedObjectsModule } from '../typed-objects/typed-objects.module.js';
import { EvaluationService } from './evaluation.service.js';
import { EvaluationsController } from './evaluations.controller.js';

@Module({ imports: [TypedObjectsModule], controllers: [EvaluationsController], providers: [EvaluationService] })
export class EvaluationsModule {}
