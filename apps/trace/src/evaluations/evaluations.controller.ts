import type { Readable } from 'node:stream';

import { Body, Controller, Delete, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  EvaluationCreateDto,
  EvaluationCreateResultDto,
  EvaluationVersionDto,
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
import { EvaluationNotFoundError } from './evaluation.errors.js';
import { EVALUATION, type EvaluationVersion } from './evaluation.mapper.js';
import { EvaluationService } from './evaluation.service.js';

@ApiBasicAuth('basic')
@Feature('evaluations', 'Datasets with the scorers that judge models on them.')
@Controller('v2/:entity/:project/evaluations')
@UseGuards(BasicAuthGuard)
export class EvaluationsController {
  constructor(
    private readonly evaluations: EvaluationService,
    private readonly typedObjects: TypedObjectService,
  ) {}

  @Post()
  @IdempotentByKey()
  @Answers(
    EvaluationCreateResultDto,
    'createEvaluation',
    'Store a version of an evaluation',
    AccessDeniedError,
    TypeCollisionError,
  )
  create(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Body() body: EvaluationCreateDto,
  ): Promise<EvaluationCreateResultDto> {
    return this.evaluations.create(author, `${entity}/${project}`, body);
  }

  @Get()
  @AnswersLines(
    EvaluationVersionDto,
    'listEvaluations',
    'List the latest versions of evaluations, one on each line',
    AccessDeniedError,
    QueryTimeoutError,
  )
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: TypedObjectListQueryDto,
  ): Promise<RawJson | Readable> {
    return this.typedObjects.list(EVALUATION, caller, `${entity}/${project}`, query);
  }

  @Get(':object_id/versions/:digest')
  @Answers(
    EvaluationVersionDto,
    'getEvaluation',
    'Read one version of an evaluation',
    AccessDeniedError,
    ProjectNotFoundError,
    EvaluationNotFoundError,
    ObjectDeletedError,
  )
  getVersion(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('object_id') objectId: string,
    @Param('digest') selector: string,
  ): Promise<EvaluationVersion> {
    return this.typedObjects.get(EVALUATION, caller, { projectId: `${entity}/${project}`, objectId, selector });
  }

  @Delete(':object_id')
  @TakesQuery(VersionsDeleteQueryDto)
  @Answers(
    VersionsDeleteResultDto,
    'deleteEvaluation',
    'Delete versions of an evaluation',
    AccessDeniedError,
    ProjectNotFoundError,
    EvaluationNotFoundError,
    AliasProtectedError,
  )
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('object_id') objectId: string,
    @Digests() digests: string[] | undefined,
  ): Promise<VersionsDeleteResultDto> {
    return this.typedObjects.delete(EVALUATION, caller, { projectId: `${entity}/${project}`, objectId }, digests);
  }
}
