import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { ScorerKindListDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature } from '@hone/platform';
import { Controller, Get, UseGuards } from '@nestjs/common';

import { ScorerKindsService } from './scorer-kinds.service.js';

@Feature('scorer-kinds', 'What kinds of scorers there are.')
@Controller('evaluation/scorer-kinds')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class ScorerKindsController {
  constructor(private readonly scorerKinds: ScorerKindsService) {}

  @Get()
  @Answers(
    ScorerKindListDto,
    'listScorerKinds',
    'List the kinds of scorers, with what each asks for',
    AccessDeniedError,
  )
  list(@CurrentPrincipal() caller: Principal): ScorerKindListDto {
    return this.scorerKinds.list(caller);
  }
}
