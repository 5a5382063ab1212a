import { Module } from '@nestjs/common';

import { ValuesModule } from '../values/values.module.js';
import { ObjectQueryRepository } from './object-query.repository.js';
import { ObjectRepository } from './object.repository.js';
import { ObjectService } from './object.service.js';
import { ObjectsController } from './objects.controller.js';

@Module({
  imports: [ValuesModule],
  controllers: [ObjectsController],
  providers: [ObjectService, ObjectRepository, ObjectQueryRepository],
  exports: [ObjectService, ObjectRepository],
})
export class ObjectsModule {}
