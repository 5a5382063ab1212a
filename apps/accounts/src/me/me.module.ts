import { Module } from '@nestjs/common';

import { StorageModule } from '../storage.module.js';
import { MeController } from './me.controller.js';
import { MeService } from './me.service.js';

@Module({ imports: [StorageModule], controllers: [MeController], providers: [MeService] })
export class MeModule {}
