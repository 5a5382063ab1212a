import { Module } from '@nestjs/common';

import { ValuesModule } from '../values/values.module.js';
import { ObjectDeletionService } from './object-deletion.service.js';
import { ObjectQueryRepository } from './object-query.repository.js';
import { ObjectRepository } from './object.repository.js';
import { ObjectService } from './object.service.js';
import { ObjectsController } from './objects.controller.js';

@Module({
  imports: [ValuesModule],
  controllers: [ObjectsController],
  providers: [ObjectService, ObjectDeletionService, ObjectRepository, ObjectQueryRepository],
  exports: [ObjectService, ObjectDeletionService, ObjectRepository, ObjectQueryRepository],
})
export class ObjectsModule {}
