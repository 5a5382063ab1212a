import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  EvaluationRunCreateDto,
  EvaluationRunCreateResultDto,
  EvaluationRunDto,
  EvaluationRunListQueryDto,
  EvaluationRunsDeleteQueryDto,
  FinishResultDto,
  type RawJson,
  TrackedDeleteResultDto,
} from '@hone/contracts';
import {
  Answers,
  AnswersLines,
  ApiBasicAuth,
  BodyContent,
  EntityPipe,
  Feature,
  IdempotentByKey,
  NamePipe,
  QueryTimeoutError,
  ReadsBody,
} from '@hone/platform';
import { Body, Controller, Delete, Get, Header, Param, Post, Query, UseGuards } from '@nestjs/common';

import { CallNotFoundError } from '../calls/call.errors.js';
import { EvaluationRunService } from './evaluation-run.service.js';
import { FINISH_BODY, type SentFinish } from './run-bodies.task.js';
import { TrackedCallService } from './tracked-call.service.js';
import { EVALUATION_RUN } from './tracked-kinds.js';

@ApiBasicAuth('basic')
@Feature('evaluation-runs', 'Runs of evaluations: predictions of a model, with what scorers found.')
@Controller('v2/:entity/:project/evaluation_runs')
@UseGuards(BasicAuthGuard)
export class EvaluationRunsController {
  constructor(
    private readonly runs: EvaluationRunService,
    private readonly tracked: TrackedCallService,
  ) {}

  @Post()
  @IdempotentByKey()
  @Answers(EvaluationRunCreateResultDto, 'createEvaluationRun', 'Begin a run of an evaluation', AccessDeniedError)
  create(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Body() body: EvaluationRunCreateDto,
  ): Promise<EvaluationRunCreateResultDto> {
    return this.runs.create(author, `${entity}/${project}`, body);
  }

  @Get()
  @AnswersLines(
    EvaluationRunDto,
    'listEvaluationRuns',
    'List evaluation runs, one on each line',
    AccessDeniedError,
    QueryTimeoutError,
  )
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: EvaluationRunListQueryDto,
  ): Promise<RawJson | Readable> {
    return this.runs.list(caller, `${entity}/${project}`, query);
  }

  @Get(':evaluation_run_id')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(
    EvaluationRunDto,
    'getEvaluationRun',
    'Read an evaluation run',
    AccessDeniedError,
    ProjectNotFoundError,
    CallNotFoundError,
  )
  get(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('evaluation_run_id') id: string,
  ): Promise<RawJson> {
    return this.tracked.get(EVALUATION_RUN, caller, `${entity}/${project}`, id);
  }

  @Post(':evaluation_run_id/finish')
  @ReadsBody(FINISH_BODY)
  @Answers(
    FinishResultDto,
    'finishEvaluationRun',
    'End a run, and its open predictions',
    AccessDeniedError,
    ProjectNotFoundError,
    CallNotFoundError,
  )
  finish(
    @CurrentPrincipal() author: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('evaluation_run_id') id: string,
    @BodyContent() body: SentFinish,
  ): Promise<FinishResultDto> {
    return this.runs.finish(author, `${entity}/${project}`, id, body);
  }

  @Delete()
  @Answers(
    TrackedDeleteResultDto,
    'deleteEvaluationRuns',
    'Delete evaluation runs with their predictions and scores',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: EvaluationRunsDeleteQueryDto,
  ): Promise<TrackedDeleteResultDto> {
    return this.tracked.delete(EVALUATION_RUN, caller, `${entity}/${project}`, query.evaluation_run_ids);
  }
}
