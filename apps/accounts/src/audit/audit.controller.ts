import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { AuditListDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, ApiQuery } from '@hone/platform';

import { AuditService } from './audit.service.js';

@Controller('account/audit')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', minimum: 1, maximum: 1_000, default: 50 } })
  @ApiQuery({ name: 'after', required: false, schema: { type: 'string' }, description: 'Id of the last entry seen.' })
  @Answers(AuditListDto, 'Changes to accounts, newest first: an admin sees all, others their own.', 403, 422)
  list(@CurrentPrincipal() caller: Principal, @Query() query: Record<string, unknown>): Promise<AuditListDto> {
    return this.audit.list(caller, query);
  }
}
