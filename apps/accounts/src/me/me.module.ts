import { Module } from '@nestjs/common';

import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { EntitiesModule } from '../entities/entities.module.js';
import { UsersModule } from '../users/users.module.js';
import { MeController } from './me.controller.js';
import { MeService } from './me.service.js';

@Module({
  imports: [ApiKeysModule, EntitiesModule, UsersModule],
  controllers: [MeController],
  providers: [MeService],
})
export class MeModule {}
