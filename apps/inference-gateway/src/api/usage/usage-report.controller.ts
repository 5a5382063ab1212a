import { Controller, Get, Headers, Query, Res, UseGuards } from '@nestjs/common';
import { BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { UsageReportDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, ApiQuery } from '@hone/platform';
import type { FastifyReply } from 'fastify';

import { USAGE_GROUPS } from '../../metering/report/usage-query.js';
import { UsageReportService } from '../../metering/report/usage-report.service.js';

const TIME = { type: 'string', format: 'date-time' } as const;

@Controller('v1/usage')
@UseGuards(BearerAuthGuard)
@ApiBearerAuth('bearer')
export class UsageReportController {
  constructor(private readonly usage: UsageReportService) {}

  @Get()
  @ApiQuery({ name: 'project', required: false, description: '`<entity>/<project>`; default: the project of the key.' })
  @ApiQuery({ name: 'from', required: false, schema: TIME, description: 'Included; default: 30 days before `to`.' })
  @ApiQuery({ name: 'to', required: false, schema: TIME, description: 'Excluded; default: now.' })
  @ApiQuery({ name: 'by', required: false, enum: USAGE_GROUPS, description: 'Default: day.' })
  @Answers(UsageReportDto, 'What a project used, in full hours of UTC; CSV with `Accept: text/csv`.', 403, 404, 422)
  async read(
    @CurrentPrincipal() caller: Principal,
    @Query() query: Record<string, unknown>,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UsageReportDto | string> {
    const { contentType, body } = await this.usage.read(caller, query, accept);
    reply.header('content-type', contentType);
    return body;
  }
}
