import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { ScoringCreateDto, ScoringDto, ScoringPageDto, ScoringsQueryDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature, IdempotentByKey, IdPipe } from '@hone/platform';
import { Body, Controller, Get, Header, Param, Post, Query, UseGuards } from '@nestjs/common';

import { ScorerNotDefinedError, ScorerNotFoundError } from '../scorers/scorers.errors.js';
import { ScoringFinishedError, ScoringNotFoundError, ScoringQueueFullError } from './scorings.errors.js';
import { ScoringsService } from './scorings.service.js';

@Feature('scorings', 'Jobs that judge calls with a scorer, each call once.')
@Controller('evaluation/scorings')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class ScoringsController {
  constructor(private readonly scorings: ScoringsService) {}

  @Post()
  @IdempotentByKey()
  @Answers(
    ScoringDto,
    'createScoring',
    'Judge calls with a scorer',
    AccessDeniedError,
    ProjectNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
    ScoringQueueFullError,
  )
  create(@CurrentPrincipal() author: Principal, @Body() body: ScoringCreateDto): Promise<ScoringDto> {
    return this.scorings.create(author, body);
  }

  @Get()
  @Header('cache-control', 'no-store')
  @Answers(ScoringPageDto, 'listScorings', 'List the scorings of a project', AccessDeniedError, ProjectNotFoundError)
  list(@CurrentPrincipal() caller: Principal, @Query() query: ScoringsQueryDto): Promise<ScoringPageDto> {
    return this.scorings.list(caller, query.project_id, query.cursor);
  }

  @Get(':scoring_id')
  @Header('cache-control', 'no-store')
  @Answers(ScoringDto, 'getScoring', 'Read a scoring', AccessDeniedError, ScoringNotFoundError)
  get(@CurrentPrincipal() caller: Principal, @Param('scoring_id', IdPipe) id: string): Promise<ScoringDto> {
    return this.scorings.get(caller, id);
  }

  @Post(':scoring_id/cancel')
  @IdempotentByKey('path')
  @Answers(
    ScoringDto,
    'cancelScoring',
    'Cancel a scoring; what was judged stays',
    AccessDeniedError,
    ScoringNotFoundError,
    ScoringFinishedError,
  )
  cancel(@CurrentPrincipal() caller: Principal, @Param('scoring_id', IdPipe) id: string): Promise<ScoringDto> {
    return this.scorings.cancel(caller, id);
  }

  @Post(':scoring_id/retry')
  @IdempotentByKey('path')
  @Answers(
    ScoringDto,
    'retryScoring',
    'Judge the calls that failed once more',
    AccessDeniedError,
    ScoringNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
  )
  retry(@CurrentPrincipal() caller: Principal, @Param('scoring_id', IdPipe) id: string): Promise<ScoringDto> {
    return this.scorings.retry(caller, id);
  }
}
