import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { CompareQueryDto, ComparisonDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature, QueryTimeoutError } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { ComparedRunNotFoundError, ComparisonsBusyError, ComparisonTooLargeError } from './comparisons.errors.js';
import { ComparisonsService } from './comparisons.service.js';

@Feature('comparisons', 'Evaluation runs beside each other, row by row.')
@Controller('evaluation/compare')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class ComparisonsController {
  constructor(private readonly comparisons: ComparisonsService) {}

  @Post()
  @Answers(
    ComparisonDto,
    'compareRuns',
    'Compare evaluation runs by paired statistics',
    AccessDeniedError,
    ProjectNotFoundError,
    ComparedRunNotFoundError,
    ComparisonTooLargeError,
    QueryTimeoutError,
    ComparisonsBusyError,
  )
  compare(@CurrentPrincipal() caller: Principal, @Body() body: CompareQueryDto): Promise<ComparisonDto> {
    return this.comparisons.compare(caller, body);
  }
}
