import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { SearchOffError } from '@hone/call-queries';
import { CallFacetsDto, CallFacetsResultDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature, QueryTimeoutError } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { CallFacetsService } from './call-facets.service.js';

@ApiBasicAuth('basic')
@Feature('calls', 'Traced executions.')
@Controller('calls/facets')
@UseGuards(BasicAuthGuard)
export class CallFacetsController {
  constructor(private readonly facets: CallFacetsService) {}

  @Post()
  @Answers(
    CallFacetsResultDto,
    'countCallFacets',
    'Count the values of fields of calls',
    AccessDeniedError,
    SearchOffError,
    QueryTimeoutError,
  )
  count(@CurrentPrincipal() caller: Principal, @Body() body: CallFacetsDto): Promise<CallFacetsResultDto> {
    return this.facets.count(caller, body);
  }
}
