import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { ImproveDto, ImprovementDto, ImprovementPageDto, ImprovementsQueryDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature, IdempotentByKey, IdPipe } from '@hone/platform';
import { Body, Controller, Get, Header, Param, Post, Query, UseGuards } from '@nestjs/common';

import { PromptNotFoundError } from '../runs/evaluation-jobs.errors.js';
import { ScorerNotDefinedError, ScorerNotFoundError } from '../scorers/scorers.errors.js';
import {
  ImprovementEndedError,
  ImprovementImpossibleError,
  ImprovementNotFoundError,
  ImprovementUnsafeError,
  TooManyImprovementsError,
  TrainingUnavailableError,
} from './improvements.errors.js';
import { ImprovementsService } from './improvements.service.js';

const ID = 'improvement_id';

@Feature('improvements', 'Attempts to make a model better by its judged calls, in every way that they allow.')
@Controller('evaluation')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class ImprovementsController {
  constructor(private readonly improvements: ImprovementsService) {}

  @Post('improve')
  @IdempotentByKey('real run')
  @Answers(
    ImprovementDto,
    'improveModel',
    'Make a model better by its judged calls',
    AccessDeniedError,
    ProjectNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
    PromptNotFoundError,
    ImprovementUnsafeError,
    ImprovementImpossibleError,
    TrainingUnavailableError,
    TooManyImprovementsError,
  )
  create(@CurrentPrincipal() author: Principal, @Body() body: ImproveDto): Promise<ImprovementDto> {
    return this.improvements.create(author, body);
  }

  @Get('improvements')
  @Header('cache-control', 'no-store')
  @Answers(
    ImprovementPageDto,
    'listImprovements',
    'List the improvements of a project',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  list(@CurrentPrincipal() caller: Principal, @Query() query: ImprovementsQueryDto): Promise<ImprovementPageDto> {
    return this.improvements.list(caller, query.project_id, query.cursor);
  }

  @Get(`improvements/:${ID}`)
  @Header('cache-control', 'no-store')
  @Answers(ImprovementDto, 'getImprovement', 'Read an improvement', AccessDeniedError, ImprovementNotFoundError)
  get(@CurrentPrincipal() caller: Principal, @Param(ID, IdPipe) id: string): Promise<ImprovementDto> {
    return this.improvements.get(caller, id);
  }

  @Post(`improvements/:${ID}/cancel`)
  @IdempotentByKey('path')
  @Answers(
    ImprovementDto,
    'cancelImprovement',
    'Cancel an improvement, with what it works on',
    AccessDeniedError,
    ImprovementNotFoundError,
    ImprovementEndedError,
  )
  cancel(@CurrentPrincipal() caller: Principal, @Param(ID, IdPipe) id: string): Promise<ImprovementDto> {
    return this.improvements.cancel(caller, id);
  }
}
