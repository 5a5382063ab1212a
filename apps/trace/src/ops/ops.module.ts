import { Module } from '@nestjs/common';

import { TypedObjectsModule } from '../typed-objects/typed-objects.module.js';
import { OpService } from './op.service.js';
import { OpsController } from './ops.controller.js';

@Module({ imports: [TypedObjectsModule], controllers: [OpsController], providers: [OpService] })
export class OpsModule {}
