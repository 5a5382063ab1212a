import { AccessDeniedError, CurrentPrincipal, type Principal } from '@hone/auth';
import { EvaluationCreateResultDto, EvaluationVersionDto } from '@hone/contracts';
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
import { EVALUATION } from './evaluation.mapper.js';
import { EvaluationService } from './evaluation.service.js';
import { READ, TASK } from './evaluation-body.task.js';

@ApiBasicAuth('basic')
@Feature('evaluations', 'Datasets with the scorers that judge models on them.')
@Controller('v2/:entity/:project/evaluations')
export class EvaluationsController extends TypedObjectsController(
  { kind: EVALUATION, task: READ },
  EvaluationVersionDto,
  {
    one: 'an evaluation',
    many: 'evaluations',
    operations: { list: 'listEvaluations', get: 'getEvaluation', delete: 'deleteEvaluation' },
  },
) {
  constructor(
    private readonly evaluations: EvaluationService,
    typedObjects: TypedObjectService,
  ) {
    super(typedObjects);
  }

  @Post()
  @ReadsBody(TASK)
  @IdempotentByKey('path')
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
    @BodyContent() sent: SentVersion,
  ): Promise<EvaluationCreateResultDto> {
    return this.evaluations.create(author, `${entity}/${project}`, sent);
  }
}
