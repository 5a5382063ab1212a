import { Body, Controller, Delete, Param, Post, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  EvaluationCreateDto,
  EvaluationCreateResultDto,
  EvaluationDeleteQueryDto,
  EvaluationDeleteResultDto,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, EntityPipe, Feature, IdempotentByKey, NamePipe, TakesQuery } from '@hone/platform';

import { TypeCollisionError } from '../objects/object.errors.js';
import { EvaluationNotFoundError } from './evaluation.errors.js';
import { Digests } from './digests.decorator.js';
import { EvaluationService } from './evaluation.service.js';

@ApiBasicAuth('basic')
@Feature('evaluations', 'Datasets with the scorers that judge models on them.')
@Controller('v2/:entity/:project/evaluations')
@UseGuards(BasicAuthGuard)
export class EvaluationsController {
  constructor(private readonly evaluations: EvaluationService) {}

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

  @Delete(':object_id')
  @TakesQuery(EvaluationDeleteQueryDto)
  @Answers(
    EvaluationDeleteResultDto,
    'deleteEvaluation',
    'Delete versions of an evaluation',
    AccessDeniedError,
    ProjectNotFoundError,
    EvaluationNotFoundError,
  )
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('object_id') objectId: string,
    @Digests() digests: string[] | undefined,
  ): Promise<EvaluationDeleteResultDto> {
    return this.evaluations.delete(caller, `${entity}/${project}`, objectId, digests);
  }
}
