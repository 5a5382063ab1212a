import { Module } from '@nestjs/common';

import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { EntitiesModule } from '../entities/entities.module.js';
import { UsersModule } from '../users/users.module.js';
import { BootstrapRepository } from './bootstrap.repository.js';
import { BootstrapService } from './bootstrap.service.js';
import { BootstrapAdmin } from './bootstrap-admin.js';

@Module({
  imports: [ApiKeysModule, EntitiesModule, UsersModule],
  providers: [BootstrapAdmin, BootstrapRepository, BootstrapService],
})
export class BootstrapModule {}
