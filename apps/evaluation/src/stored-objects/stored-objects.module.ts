import { ValuesModule } from '@hone/calls';
import { ObjectVersionsRepository } from '@hone/objects';
import { Module } from '@nestjs/common';

import { StoredObjects } from './stored-objects.service.js';

/** Objects as the trace service stores them. */
@Module({
  imports: [ValuesModule],
  providers: [ObjectVersionsRepository, StoredObjects],
  exports: [StoredObjects],
})
export class StoredObjectsModule {}
