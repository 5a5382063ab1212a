import { ValuesModule } from '@hone/calls';
import { AliasRepository, ObjectRepository, ObjectStore } from '@hone/objects';
import { Module } from '@nestjs/common';

import { CursorsModule } from '../cursors/cursors.module.js';
import { ObjectService } from './object.service.js';
import { ObjectDeletionService } from './object-deletion.service.js';
import { ObjectErasureRepository } from './object-erasure.repository.js';
import { ObjectErasureService } from './object-erasure.service.js';
import { ObjectHistoryService } from './object-history.service.js';
import { ObjectQueryRepository } from './object-query.repository.js';
import { ObjectsController } from './objects.controller.js';

@Module({
  imports: [ValuesModule, CursorsModule],
  controllers: [ObjectsController],
  providers: [
    ObjectService,
    ObjectDeletionService,
    ObjectHistoryService,
    ObjectErasureService,
    ObjectErasureRepository,
    ObjectRepository,
    ObjectStore,
    ObjectQueryRepository,
    AliasRepository,
  ],
  exports: [ObjectService, ObjectDeletionService, ObjectRepository, ObjectQueryRepository, AliasRepository],
})
export class ObjectsModule {}
