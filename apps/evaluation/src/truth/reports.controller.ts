import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { JudgeReportDto, JudgeReportQueryDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { ScorerNotDefinedError, ScorerNotFoundError } from '../scorers/scorers.errors.js';
import { TooManyLabelsError } from './reports.errors.js';
import { ReportsService } from './reports.service.js';

@Feature('reports', 'What judges say of calls, corrected by labels of people.')
@Controller('evaluation/reports')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Post()
  @Answers(
    JudgeReportDto,
    'reportJudge',
    'Report the mean of a criterion, and how far its judge can be trusted',
    AccessDeniedError,
    ProjectNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
    TooManyLabelsError,
  )
  report(@CurrentPrincipal() caller: Principal, @Body() body: JudgeReportQueryDto): Promise<JudgeReportDto> {
    return this.reports.report(caller, body);
  }
}
