import { Module } from '@nestjs/common';

import { StorageModule } from '../storage.module.js';
import { BootstrapAdmin } from './bootstrap-admin.js';
import { BootstrapRepository } from './bootstrap.repository.js';
import { BootstrapService } from './bootstrap.service.js';

@Module({ imports: [StorageModule], providers: [BootstrapAdmin, BootstrapRepository, BootstrapService] })
export class BootstrapModule {}
