import { Module } from '@nestjs/common';

import { EntitiesModule } from '../entities/entities.module.js';
import { UsersModule } from '../users/users.module.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';

@Module({ imports: [EntitiesModule, UsersModule], controllers: [MembersController], providers: [MembersService] })
export class MembersModule {}
