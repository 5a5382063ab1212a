import type { Readable } from 'node:stream';

import { Body, Controller, Delete, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  ModelCreateDto,
  ModelCreateResultDto,
  ModelVersionDto,
  type RawJson,
  TypedObjectListQueryDto,
  VersionsDeleteQueryDto,
  VersionsDeleteResultDto,
} from '@hone/contracts';
import {
  Answers,
  AnswersLines,
  ApiBasicAuth,
  EntityPipe,
  Feature,
  IdempotentByKey,
  NamePipe,
  QueryTimeoutError,
  TakesQuery,
} from '@hone/platform';

import { AliasProtectedError, ObjectDeletedError, TypeCollisionError } from '../objects/object.errors.js';
import { Digests } from '../typed-objects/digests.decorator.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import { ModelNotFoundError } from './model.errors.js';
import { MODEL, type ModelVersion } from './model.mapper.js';
import { ModelService } from './model.service.js';

@ApiBasicAuth('basic')
@Feature('model versions', 'Versioned source code of models under evaluation.')
@Controller('v2/:entity/:project/models')
@UseGuards(BasicAuthGuard)
export class ModelsController {
  constructor(
    private readonly models: ModelService,
    private readonly typedObjects: TypedObjectService,
  ) {}

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

  @Get()
  @AnswersLines(
    ModelVersionDto,
    'listModelVersions',
    'List the latest versions of models, one on each line',
    AccessDeniedError,
    QueryTimeoutError,
  )
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: TypedObjectListQueryDto,
  ): Promise<RawJson | Readable> {
    return this.typedObjects.list(MODEL, caller, `${entity}/${project}`, query);
  }

  @Get(':object_id/versions/:digest')
  @Answers(
    ModelVersionDto,
    'getModelVersion',
    'Read one version of a model',
    AccessDeniedError,
    ProjectNotFoundError,
    ModelNotFoundError,
    ObjectDeletedError,
  )
  getVersion(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('object_id') objectId: string,
    @Param('digest') selector: string,
  ): Promise<ModelVersion> {
    return this.typedObjects.get(MODEL, caller, { projectId: `${entity}/${project}`, objectId, selector });
  }

  @Delete(':object_id')
  @TakesQuery(VersionsDeleteQueryDto)
  @Answers(
    VersionsDeleteResultDto,
    'deleteModelVersions',
    'Delete versions of a model',
    AccessDeniedError,
    ProjectNotFoundError,
    ModelNotFoundError,
    AliasProtectedError,
  )
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('object_id') objectId: string,
    @Digests() digests: string[] | undefined,
  ): Promise<VersionsDeleteResultDto> {
    return this.typedObjects.delete(MODEL, caller, { projectId: `${entity}/${project}`, objectId }, digests);
  }
}
