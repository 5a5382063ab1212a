import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { EvalResultsDto, EvalResultsQueryDto, type RawJson } from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature, QueryTimeoutError } from '@hone/platform';
import { Body, Controller, Header, Param, Post, UseGuards } from '@nestjs/common';

import { assertProjectOfPath } from '../calls/writes/project-of-path.js';
import { EvalResultsService } from './eval-results.service.js';

@ApiBasicAuth('basic')
@Feature('evaluation-runs', 'Runs of evaluations: predictions of a model, with what scorers found.')
@Controller('v2/:entity/:project/eval_results')
@UseGuards(BasicAuthGuard)
export class EvalResultsController {
  constructor(private readonly results: EvalResultsService) {}

  @Post('query')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(
    EvalResultsDto,
    'queryEvalResults',
    'Compare evaluation runs row by row',
    AccessDeniedError,
    QueryTimeoutError,
  )
  query(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Body() body: EvalResultsQueryDto,
  ): Promise<RawJson | Readable> {
    assertProjectOfPath(`${entity}/${project}`, [body.project_id], () => ['body']);
    return this.results.query(caller, `${entity}/${project}`, body);
  }
}
