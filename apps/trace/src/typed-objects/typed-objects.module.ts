import { ValuesModule } from '@hone/calls';
import { Module } from '@nestjs/common';

import { ObjectsModule } from '../objects/objects.module.js';
import { TypedObjectService } from './typed-object.service.js';

@Module({ imports: [ObjectsModule, ValuesModule], providers: [TypedObjectService], exports: [TypedObjectService] })
export class TypedObjectsModule {}
