import type { Readable } from 'node:stream';

import { Body, Controller, Delete, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  type RawJson,
  ScorerCreateDto,
  ScorerCreateResultDto,
  ScorerVersionDto,
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
import { ScorerNotFoundError } from './scorer.errors.js';
import { SCORER, type ScorerVersion } from './scorer.mapper.js';
import { ScorerService } from './scorer.service.js';

@ApiBasicAuth('basic')
@Feature('scorers', 'Versioned source code that judges what models answer.')
@Controller('v2/:entity/:project/scorers')
@UseGuards(BasicAuthGuard)
export class ScorersController {
  constructor(
    private readonly scorers: ScorerService,
    private readonly typedObjects: TypedObjectService,
  ) {}

  @Post()
  @IdempotentByKey()
  @Answers(ScorerCreateResultDto, 'createScorer', 'Store a version of a scorer', AccessDeniedError, TypeCollisionError)
  create(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Body() body: ScorerCreateDto,
  ): Promise<ScorerCreateResultDto> {
    return this.scorers.create(author, `${entity}/${project}`, body);
  }

  @Get()
  @AnswersLines(
    ScorerVersionDto,
    'listScorers',
    'List the latest versions of scorers, one on each line',
    AccessDeniedError,
    QueryTimeoutError,
  )
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: TypedObjectListQueryDto,
  ): Promise<RawJson | Readable> {
    return this.typedObjects.list(SCORER, caller, `${entity}/${project}`, query);
  }

  @Get(':object_id/versions/:digest')
  @Answers(
    ScorerVersionDto,
    'getScorer',
    'Read one version of a scorer',
    AccessDeniedError,
    ProjectNotFoundError,
    ScorerNotFoundError,
    ObjectDeletedError,
  )
  getVersion(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('object_id') objectId: string,
    @Param('digest') selector: string,
  ): Promise<ScorerVersion> {
    return this.typedObjects.get(SCORER, caller, { projectId: `${entity}/${project}`, objectId, selector });
  }

  @Delete(':object_id')
  @TakesQuery(VersionsDeleteQueryDto)
  @Answers(
    VersionsDeleteResultDto,
    'deleteScorer',
    'Delete versions of a scorer',
    AccessDeniedError,
    ProjectNotFoundError,
    ScorerNotFoundError,
    AliasProtectedError,
  )
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('object_id') objectId: string,
    @Digests() digests: string[] | undefined,
  ): Promise<VersionsDeleteResultDto> {
    return this.typedObjects.delete(SCORER, caller, { projectId: `${entity}/${project}`, objectId }, digests);
  }
}
