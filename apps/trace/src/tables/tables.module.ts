import { ValuesModule } from '@hone/calls';
import { Module } from '@nestjs/common';

import { TableRepository } from './table.repository.js';
import { TableService } from './table.service.js';
import { TableErasureRepository } from './table-erasure.repository.js';
import { TableErasureService } from './table-erasure.service.js';
import { TableQueryRepository } from './table-query.repository.js';
import { TablesController } from './tables.controller.js';

@Module({
  imports: [ValuesModule],
  controllers: [TablesController],
  providers: [TableService, TableErasureService, TableErasureRepository, TableRepository, TableQueryRepository],
  exports: [TableService, TableRepository],
})
export class TablesModule {}
