import { Body, Controller, Delete, Param, Post, UseGuards } from '@nestjs/common';
import { BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { EvaluationCreateDto, EvaluationCreateResultDto, EvaluationDeleteResultDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiQuery, IdempotentByKey } from '@hone/platform';

import { Digests } from './digests.decorator.js';
import { EvaluationService } from './evaluation.service.js';

@ApiBasicAuth('basic')
@Controller('v2/:entity/:project/evaluations')
@UseGuards(BasicAuthGuard)
export class EvaluationsController {
  constructor(private readonly evaluations: EvaluationService) {}

  @Post()
  @IdempotentByKey()
  @Answers(EvaluationCreateResultDto, 'Store a version of an evaluation', 403, 409, 413, 422)
  create(
    @CurrentPrincipal() author: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Body() body: EvaluationCreateDto,
  ): Promise<EvaluationCreateResultDto> {
    return this.evaluations.create(author, `${entity}/${project}`, body);
  }

  @Delete(':object_id')
  @ApiQuery({
    name: 'digests',
    required: false,
    isArray: true,
    type: String,
    description: 'Version selectors; absent: all versions',
  })
  @Answers(EvaluationDeleteResultDto, 'Delete versions of an evaluation', 403, 404, 422)
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
