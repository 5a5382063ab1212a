import { AccessDeniedError, CurrentPrincipal, type Principal } from '@hone/auth';
import { ModelCreateResultDto, ModelVersionDto } from '@hone/contracts';
import {
  Answers,
  ApiBasicAuth,
  BodyContent,
  EntityPipe,
  Feature,
  IdempotentByKey,
  NamePipe,
  ReadsBody,
} from '@hone/platform';
import { Controller, Param, Post } from '@nestjs/common';

import { TypeCollisionError } from '../objects/object.errors.js';
import type { SentVersion } from '../typed-objects/sent-version.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import { TypedObjectsController } from '../typed-objects/typed-objects.controller.js';
import { MODEL } from './model.mapper.js';
import { ModelService } from './model.service.js';
import { READ, TASK } from './model-body.task.js';

@ApiBasicAuth('basic')
@Feature('model versions', 'Versioned source code of models under evaluation.')
@Controller('v2/:entity/:project/models')
export class ModelsController extends TypedObjectsController({ kind: MODEL, task: READ }, ModelVersionDto, {
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
  @ReadsBody(TASK)
  @IdempotentByKey('path')
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
    @BodyContent() sent: SentVersion,
  ): Promise<ModelCreateResultDto> {
    return this.models.create(author, `${entity}/${project}`, sent);
  }
}
