import type { Readable } from 'node:stream';

import { Body, Controller, Delete, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  OpCreateDto,
  OpCreateResultDto,
  OpVersionDto,
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
import { OpNotFoundError } from './op.errors.js';
import { OP, type OpVersion } from './op.mapper.js';
import { OpService } from './op.service.js';

@ApiBasicAuth('basic')
@Feature('ops', 'Versioned source code of functions whose calls are traced.')
@Controller('v2/:entity/:project/ops')
@UseGuards(BasicAuthGuard)
export class OpsController {
  constructor(
    private readonly ops: OpService,
    private readonly typedObjects: TypedObjectService,
  ) {}

  @Post()
  @IdempotentByKey()
  @Answers(OpCreateResultDto, 'createOp', 'Store a version of an op', AccessDeniedError, TypeCollisionError)
  create(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Body() body: OpCreateDto,
  ): Promise<OpCreateResultDto> {
    return this.ops.create(author, `${entity}/${project}`, body);
  }

  @Get()
  @AnswersLines(
    OpVersionDto,
    'listOps',
    'List the latest versions of ops, one on each line',
    AccessDeniedError,
    QueryTimeoutError,
  )
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: TypedObjectListQueryDto,
  ): Promise<RawJson | Readable> {
    return this.typedObjects.list(OP, caller, `${entity}/${project}`, query);
  }

  @Get(':object_id/versions/:digest')
  @Answers(
    OpVersionDto,
    'getOp',
    'Read one version of an op',
    AccessDeniedError,
    ProjectNotFoundError,
    OpNotFoundError,
    ObjectDeletedError,
  )
  getVersion(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('object_id') objectId: string,
    @Param('digest') selector: string,
  ): Promise<OpVersion> {
    return this.typedObjects.get(OP, caller, { projectId: `${entity}/${project}`, objectId, selector });
  }

  @Delete(':object_id')
  @TakesQuery(VersionsDeleteQueryDto)
  @Answers(
    VersionsDeleteResultDto,
    'deleteOp',
    'Delete versions of an op',
    AccessDeniedError,
    ProjectNotFoundError,
    OpNotFoundError,
    AliasProtectedError,
  )
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('object_id') objectId: string,
    @Digests() digests: string[] | undefined,
  ): Promise<VersionsDeleteResultDto> {
    return this.typedObjects.delete(OP, caller, { projectId: `${entity}/${project}`, objectId }, digests);
  }
}
