import { Module } from '@nestjs/common';

import { StorageModule } from '../storage.module.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';

@Module({ imports: [StorageModule], controllers: [ApiKeysController], providers: [ApiKeysService] })
export class ApiKeysModule {}
