import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { UsageQueryDto, UsageReportDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, Feature } from '@hone/platform';
import { Controller, Get, Headers, Query, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { UsageReportService } from './usage-report.service.js';

@Feature('usage', 'What projects and keys use, and may use.')
@Controller('v1/usage')
@UseGuards(BearerAuthGuard)
@ApiBearerAuth('bearer')
export class UsageReportController {
  constructor(private readonly usage: UsageReportService) {}

  @Get()
  @Answers(
    UsageReportDto,
    'getUsage',
    'Read what a project used, in full hours of UTC; CSV with `Accept: text/csv`',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  async read(
    @CurrentPrincipal() caller: Principal,
    @Query() query: UsageQueryDto,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UsageReportDto | string> {
    const { contentType, body } = await this.usage.read(caller, query, accept);
    reply.header('content-type', contentType);
    return body;
  }
}
