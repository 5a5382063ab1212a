import { ValuesModule } from '@hone/calls';
import { Module } from '@nestjs/common';

import { ObjectsModule } from '../objects/objects.module.js';
import { TablesModule } from '../tables/tables.module.js';
import { RefReaderService } from './ref-reader.service.js';
import { RefsController } from './refs.controller.js';

@Module({
  imports: [ObjectsModule, TablesModule, ValuesModule],
  controllers: [RefsController],
  providers: [RefReaderService],
})
export class RefsModule {}
