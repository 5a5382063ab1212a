import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { BiasReportCreateDto, BiasReportDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature, IdempotentByKey, IdPipe } from '@hone/platform';
import { Body, Controller, Get, Header, Param, Post, UseGuards } from '@nestjs/common';

import { ScorerNotDefinedError, ScorerNotFoundError } from '../scorers/scorers.errors.js';
import { ScoringQueueFullError } from '../scorings/scorings.errors.js';
import { BiasReportNotFoundError, BiasReportsBusyError, NothingToProbeError } from './bias-reports.errors.js';
import { BiasReportsService } from './bias-reports.service.js';

@Feature('bias', 'How judges may be biased.')
@Controller('evaluation/bias-reports')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class BiasReportsController {
  constructor(private readonly reports: BiasReportsService) {}

  @Post()
  @IdempotentByKey()
  @Answers(
    BiasReportDto,
    'createBiasReport',
    'Report how a judge may be biased, and probe it',
    AccessDeniedError,
    ProjectNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
    NothingToProbeError,
    ScoringQueueFullError,
    BiasReportsBusyError,
  )
  create(@CurrentPrincipal() author: Principal, @Body() body: BiasReportCreateDto): Promise<BiasReportDto> {
    return this.reports.create(author, body);
  }

  @Get(':bias_report_id')
  @Header('cache-control', 'no-store')
  @Answers(BiasReportDto, 'getBiasReport', 'Read how a judge may be biased', AccessDeniedError, BiasReportNotFoundError)
  get(@CurrentPrincipal() caller: Principal, @Param('bias_report_id', IdPipe) id: string): Promise<BiasReportDto> {
    return this.reports.get(caller, id);
  }
}
