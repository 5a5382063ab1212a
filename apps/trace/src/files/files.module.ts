import { ValuesModule } from '@hone/calls';
import { Module } from '@nestjs/common';

import { FileService } from './file.service.js';
import { FilesAliasController, FilesController, FileStatsController } from './files.controller.js';

@Module({
  imports: [ValuesModule],
  controllers: [FilesController, FilesAliasController, FileStatsController],
  providers: [FileService],
})
export class FilesModule {}
