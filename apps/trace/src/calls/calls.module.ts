import { Module } from '@nestjs/common';

import { ValuesModule } from '../values/values.module.js';
import { CallRepository } from './call.repository.js';
import { CallService } from './call.service.js';
import { CallsController } from './calls.controller.js';

@Module({ imports: [ValuesModule], controllers: [CallsController], providers: [CallService, CallRepository] })
export class CallsModule {}
