import { Module } from '@nestjs/common';

import { StorageModule } from '../storage.module.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({ imports: [StorageModule], controllers: [UsersController], providers: [UsersService] })
export class UsersModule {}
