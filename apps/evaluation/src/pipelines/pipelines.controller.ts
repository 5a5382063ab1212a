import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  EmptyResultDto,
  PipelineCreateDto,
  PipelineDto,
  PipelineListDto,
  PipelineRunDto,
  PipelineRunPageDto,
  PipelineRunsQueryDto,
  PipelinesQueryDto,
  PipelineUpdateDto,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature, IdempotentByKey, IdPipe } from '@hone/platform';
import { Body, Controller, Delete, Get, Header, Param, Post, Put, Query, UseGuards } from '@nestjs/common';

import { ScorerNotDefinedError, ScorerNotFoundError } from '../scorers/scorers.errors.js';
import {
  PipelineNameTakenError,
  PipelineNotFoundError,
  PipelineRunningError,
  PipelineUnsafeError,
  TooManyPipelinesError,
} from './pipelines.errors.js';
import { PipelinesService } from './pipelines.service.js';

const ROUTE = ':pipeline_id';
const ID = 'pipeline_id';

@Feature('pipelines', 'Loops that train, compare and promote by themselves.')
@Controller('evaluation/pipelines')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class PipelinesController {
  constructor(private readonly pipelines: PipelinesService) {}

  @Post()
  @IdempotentByKey()
  @Answers(
    PipelineDto,
    'createPipeline',
    'Let a model be improved by itself',
    AccessDeniedError,
    ProjectNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
    PipelineUnsafeError,
    PipelineNameTakenError,
    TooManyPipelinesError,
  )
  create(@CurrentPrincipal() author: Principal, @Body() body: PipelineCreateDto): Promise<PipelineDto> {
    return this.pipelines.create(author, body);
  }

  @Get()
  @Header('cache-control', 'no-store')
  @Answers(PipelineListDto, 'listPipelines', 'List the pipelines of a project', AccessDeniedError, ProjectNotFoundError)
  list(@CurrentPrincipal() caller: Principal, @Query() query: PipelinesQueryDto): Promise<PipelineListDto> {
    return this.pipelines.list(caller, query.project_id);
  }

  @Get(ROUTE)
  @Header('cache-control', 'no-store')
  @Answers(PipelineDto, 'getPipeline', 'Read a pipeline', AccessDeniedError, PipelineNotFoundError)
  get(@CurrentPrincipal() caller: Principal, @Param(ID, IdPipe) id: string): Promise<PipelineDto> {
    return this.pipelines.get(caller, id);
  }

  @Put(ROUTE)
  @Answers(
    PipelineDto,
    'updatePipeline',
    'Pause or resume a pipeline',
    AccessDeniedError,
    PipelineNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
    PipelineUnsafeError,
  )
  update(
    @CurrentPrincipal() caller: Principal,
    @Param(ID, IdPipe) id: string,
    @Body() body: PipelineUpdateDto,
  ): Promise<PipelineDto> {
    return this.pipelines.update(caller, id, body.paused);
  }

  @Delete(ROUTE)
  @Answers(
    EmptyResultDto,
    'deletePipeline',
    'Delete a pipeline; what it trained and promoted stays',
    AccessDeniedError,
    PipelineNotFoundError,
  )
  async delete(@CurrentPrincipal() caller: Principal, @Param(ID, IdPipe) id: string): Promise<EmptyResultDto> {
    await this.pipelines.delete(caller, id);
    return {};
  }

  @Post(`${ROUTE}/runs`)
  @IdempotentByKey('path')
  @Answers(
    PipelineRunDto,
    'startPipelineRun',
    'Run a pipeline now',
    AccessDeniedError,
    PipelineNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
    PipelineUnsafeError,
    PipelineRunningError,
  )
  start(@CurrentPrincipal() caller: Principal, @Param(ID, IdPipe) id: string): Promise<PipelineRunDto> {
    return this.pipelines.start(caller, id);
  }

  @Get(`${ROUTE}/runs`)
  @Header('cache-control', 'no-store')
  @Answers(
    PipelineRunPageDto,
    'listPipelineRuns',
    'List the runs of a pipeline',
    AccessDeniedError,
    PipelineNotFoundError,
  )
  listRuns(
    @CurrentPrincipal() caller: Principal,
    @Param(ID, IdPipe) id: string,
    @Query() query: PipelineRunsQueryDto,
  ): Promise<PipelineRunPageDto> {
    return this.pipelines.listRuns(caller, id, query.cursor);
  }
}
