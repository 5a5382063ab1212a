import { Module } from '@nestjs/common';

import { EntitiesController } from './entities.controller.js';
import { EntitiesRepository } from './entities.repository.js';
import { EntitiesService } from './entities.service.js';
import { EntityAccess } from './entity-access.js';
import { MembersRepository } from './members.repository.js';

@Module({
  controllers: [EntitiesController],
  providers: [EntitiesService, EntitiesRepository, MembersRepository, EntityAccess],
  exports: [EntitiesRepository, MembersRepository, EntityAccess],
})
export class EntitiesModule {}
