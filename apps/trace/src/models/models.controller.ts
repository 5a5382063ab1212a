import { Body, Controller, Param, Post } from '@nestjs/common';
import { AccessDeniedError, CurrentPrincipal, type Principal } from '@hone/auth';
import {
  ModelCreateDto,
  ModelCreateResultDto,
  ModelVersionDto,
} from '@hone/contracts';
import {
  Answers,
  ApiBasicAuth,
  EntityPipe,
  Feature,
  IdempotentByKey,
  NamePipe,
} from '@hone/platform';

import { TypeCollisionError } from '../objects/object.errors.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import { TypedObjectsController } from '../typed-objects/typed-objects.controller.js';
import { MODEL } from './model.mapper.js';
import { ModelService } from './model.service.js';

@ApiBasicAuth('basic')
@Feature('model versions', 'Versioned source code of models under evaluation.')
@Controller('v2/:entity/:project/models')
export class ModelsController extends TypedObjectsController(MODEL, ModelVersionDto, {
  one: 'a model',
  many: 'models',
  operations: { list: 'listModelVersions', get: 'getModelVersion', delete: 'deleteModelVersions' },
}) {
  constructor(
    private readonly models: ModelService,
    typedObjects: TypedObjectService,
  ) {
    super(typedObjects);
  }

  @Post()
  @IdempotentByKey()
  @Answers(
    ModelCreateResultDto,
    'createModelVersion',
    'Store a version of a model',
    AccessDeniedError,
    TypeCollisionError,
  )
  create(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Body() body: ModelCreateDto,
  ): Promise<ModelCreateResultDto> {
    return this.models.create(author, `${entity}/${project}`, body);
  }
}
