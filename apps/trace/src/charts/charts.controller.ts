import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { SearchOffError } from '@hone/call-queries';
import { CallChartsDto, CallChartsResultDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature, QueryTimeoutError } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { ChartsService } from './charts.service.js';

@ApiBasicAuth('basic')
@Feature('calls', 'Traced executions.')
@Controller('calls')
@UseGuards(BasicAuthGuard)
export class ChartsController {
  constructor(private readonly charts: ChartsService) {}

  @Post('charts')
  @Answers(
    CallChartsResultDto,
    'readCallCharts',
    'Figures of calls over time',
    AccessDeniedError,
    SearchOffError,
    QueryTimeoutError,
  )
  chart(@CurrentPrincipal() caller: Principal, @Body() body: CallChartsDto): Promise<CallChartsResultDto> {
    return this.charts.chart(caller, body);
  }
}
