import { Module } from '@nestjs/common';
import { ValuesModule } from '@hone/calls';

import { TableQueryRepository } from './table-query.repository.js';
import { TableRepository } from './table.repository.js';
import { TableService } from './table.service.js';
import { TablesController } from './tables.controller.js';

@Module({
  imports: [ValuesModule],
  controllers: [TablesController],
  providers: [TableService, TableRepository, TableQueryRepository],
  exports: [TableService, TableRepository],
})
export class TablesModule {}
