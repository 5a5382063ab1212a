import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { TryScorerDto, TryScorerResultDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, CallerLeft, Feature } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { ScorerNotDefinedError, ScorerNotFoundError } from './scorers.errors.js';
import { TryScorerService } from './try-scorer.service.js';

@Feature('scorers', 'Versioned judges of what models answer.')
@Controller('evaluation/scorers')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class TryScorerController {
  constructor(private readonly tries: TryScorerService) {}

  @Post('try')
  @Answers(
    TryScorerResultDto,
    'tryScorer',
    'Judge a few calls without storing what is found',
    AccessDeniedError,
    ProjectNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
  )
  try(
    @CurrentPrincipal() caller: Principal,
    @Body() body: TryScorerDto,
    @CallerLeft() left: AbortSignal,
  ): Promise<TryScorerResultDto> {
    return this.tries.try(caller, body, left);
  }
}
