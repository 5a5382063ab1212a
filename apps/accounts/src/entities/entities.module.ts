import { Module } from '@nestjs/common';

import { StorageModule } from '../storage.module.js';
import { EntitiesController } from './entities.controller.js';
import { EntitiesService } from './entities.service.js';
import { EntityAccess } from './entity-access.js';

@Module({
  imports: [StorageModule],
  controllers: [EntitiesController],
  providers: [EntitiesService, EntityAccess],
  exports: [EntityAccess],
})
export class EntitiesModule {}
