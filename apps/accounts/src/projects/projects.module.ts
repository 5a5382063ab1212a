import { Module } from '@nestjs/common';

import { EntitiesModule } from '../entities/entities.module.js';
import { StorageModule } from '../storage.module.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';

@Module({ imports: [StorageModule, EntitiesModule], controllers: [ProjectsController], providers: [ProjectsService] })
export class ProjectsModule {}
