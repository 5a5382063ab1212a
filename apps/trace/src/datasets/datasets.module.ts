import { Module } from '@nestjs/common';

import { TablesModule } from '../tables/tables.module.js';
import { TypedObjectsModule } from '../typed-objects/typed-objects.module.js';
import { DatasetService } from './dataset.service.js';
import { DatasetsController } from './datasets.controller.js';

@Module({ imports: [TypedObjectsModule, TablesModule], controllers: [DatasetsController], providers: [DatasetService] })
export class DatasetsModule {}
