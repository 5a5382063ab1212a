import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { ModelCreateDto, ModelCreateResultDto, ModelVersionDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, EntityPipe, Feature, IdempotentByKey, NamePipe } from '@hone/platform';

import { ObjectDeletedError, TypeCollisionError } from '../objects/object.errors.js';
import { ModelNotFoundError } from './model.errors.js';
import { ModelService } from './model.service.js';
import type { ModelVersion } from './model.mapper.js';

@ApiBasicAuth('basic')
@Feature('model versions', 'Versioned source code of models under evaluation.')
@Controller('v2/:entity/:project/models')
@UseGuards(BasicAuthGuard)
export class ModelsController {
  constructor(private readonly models: ModelService) {}

  @Post()
  @IdempotentByKey()
  @Answers(ModelCreateResultDto, 'createModelVersion', 'Store a version of a model', AccessDeniedError, TypeCollisionError)
  create(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Body() body: ModelCreateDto,
  ): Promise<ModelCreateResultDto> {
    return this.models.create(author, `${entity}/${project}`, body);
  }

  @Get(':object_id/versions/:digest')
  @Answers(ModelVersionDto, 'getModelVersion', 'Read one version of a model', AccessDeniedError, ProjectNotFoundError, ModelNotFoundError, ObjectDeletedError)
  getVersion(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('object_id') objectId: string,
    @Param('digest') selector: string,
  ): Promise<ModelVersion> {
    return this.models.getVersion(caller, `${entity}/${project}`, objectId, selector);
  }
}
