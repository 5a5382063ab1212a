import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { ScorerLibraryDto, ScorerLibraryQueryDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature } from '@hone/platform';
import { Controller, Get, Query, UseGuards } from '@nestjs/common';

import { assertTraceScope } from '../access/caller.js';
import { READY_CHECKS } from './ready-checks.js';
import { readyJudges } from './ready-judges.js';

const PLACEHOLDER = 'judge';

@Feature('scorers', 'Versioned judges of what models answer.')
@Controller('evaluation/scorer-library')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class ScorerLibraryController {
  @Get()
  @Answers(
    ScorerLibraryDto,
    'listScorerLibrary',
    'List ready scorers, to store as they are or changed',
    AccessDeniedError,
  )
  list(@CurrentPrincipal() caller: Principal, @Query() { model }: ScorerLibraryQueryDto): ScorerLibraryDto {
    assertTraceScope(caller);
    return { scorers: [...READY_CHECKS, ...readyJudges(model ?? PLACEHOLDER)] };
  }
}
