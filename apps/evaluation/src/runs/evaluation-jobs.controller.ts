import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  EvaluationJobCreateDto,
  EvaluationJobDto,
  EvaluationJobPageDto,
  EvaluationJobsQueryDto,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature, IdempotentByKey, IdPipe } from '@hone/platform';
import { Body, Controller, Get, Header, Param, Post, Query, UseGuards } from '@nestjs/common';

import { ScorerNotDefinedError, ScorerNotFoundError } from '../scorers/scorers.errors.js';
import {
  DatasetNotFoundError,
  EvaluationJobFinishedError,
  EvaluationJobIncompleteError,
  EvaluationJobNotFoundError,
  EvaluationNotFoundError,
  EvaluationQueueFullError,
  NameTakenError,
  PromptNotFoundError,
} from './evaluation-jobs.errors.js';
import { EvaluationJobsService } from './evaluation-jobs.service.js';

@Feature('server evaluations', 'Jobs that ask models every row of a dataset, and have scorers judge what they answer.')
@Controller('evaluation/runs')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class EvaluationJobsController {
  constructor(private readonly jobs: EvaluationJobsService) {}

  @Post()
  @IdempotentByKey()
  @Answers(
    EvaluationJobDto,
    'createEvaluationJob',
    'Evaluate models or prompts on a dataset',
    AccessDeniedError,
    ProjectNotFoundError,
    EvaluationNotFoundError,
    DatasetNotFoundError,
    PromptNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
    NameTakenError,
    EvaluationQueueFullError,
  )
  create(@CurrentPrincipal() author: Principal, @Body() body: EvaluationJobCreateDto): Promise<EvaluationJobDto> {
    return this.jobs.create(author, body);
  }

  @Get()
  @Header('cache-control', 'no-store')
  @Answers(
    EvaluationJobPageDto,
    'listEvaluationJobs',
    'List the evaluations that the server runs',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  list(@CurrentPrincipal() caller: Principal, @Query() query: EvaluationJobsQueryDto): Promise<EvaluationJobPageDto> {
    return this.jobs.list(caller, query.project_id, query.cursor);
  }

  @Get(':job_id')
  @Header('cache-control', 'no-store')
  @Answers(
    EvaluationJobDto,
    'getEvaluationJob',
    'Read an evaluation that the server runs',
    AccessDeniedError,
    EvaluationJobNotFoundError,
  )
  get(@CurrentPrincipal() caller: Principal, @Param('job_id', IdPipe) id: string): Promise<EvaluationJobDto> {
    return this.jobs.get(caller, id);
  }

  @Post(':job_id/cancel')
  @IdempotentByKey('path')
  @Answers(
    EvaluationJobDto,
    'cancelEvaluationJob',
    'Cancel an evaluation; what was answered and scored stays',
    AccessDeniedError,
    EvaluationJobNotFoundError,
    EvaluationJobFinishedError,
  )
  cancel(@CurrentPrincipal() caller: Principal, @Param('job_id', IdPipe) id: string): Promise<EvaluationJobDto> {
    return this.jobs.cancel(caller, id);
  }

  @Post(':job_id/retry')
  @IdempotentByKey('path')
  @Answers(
    EvaluationJobDto,
    'retryEvaluationJob',
    'Try the answers and scores that failed once more',
    AccessDeniedError,
    EvaluationJobNotFoundError,
    EvaluationJobIncompleteError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
  )
  retry(@CurrentPrincipal() caller: Principal, @Param('job_id', IdPipe) id: string): Promise<EvaluationJobDto> {
    return this.jobs.retry(caller, id);
  }
}
