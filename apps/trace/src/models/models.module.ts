import { Module } from '@nestjs/common';

import { ObjectsModule } from '../objects/objects.module.js';
import { ValuesModule } from '../values/values.module.js';
import { ModelService } from './model.service.js';
import { ModelsController } from './models.controller.js';

@Module({ imports: [ObjectsModule, ValuesModule], controllers: [ModelsController], providers: [ModelService] })
export class ModelsModule {}
