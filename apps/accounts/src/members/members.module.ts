import { Module } from '@nestjs/common';

import { EntitiesModule } from '../entities/entities.module.js';
import { StorageModule } from '../storage.module.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';

@Module({ imports: [StorageModule, EntitiesModule], controllers: [MembersController], providers: [MembersService] })
export class MembersModule {}
