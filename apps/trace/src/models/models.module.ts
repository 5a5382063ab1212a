import { Module } from '@nestjs/common';

import { TypedObjectsModule } from '../typed-objects/typed-objects.module.js';
import { ModelService } from './model.service.js';
import { ModelsController } from './models.controller.js';

@Module({ imports: [TypedObjectsModule], controllers: [ModelsController], providers: [ModelService] })
export class ModelsModule {}
