import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { AuditListDto, AuditQueryDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature } from '@hone/platform';
import { Controller, Get, Query, UseGuards } from '@nestjs/common';

import { AuditService } from './audit.service.js';

@Feature('audit', 'Who changed accounts, and when.')
@Controller('account/audit')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Answers(
    AuditListDto,
    'listAuditEntries',
    'List changes to accounts, newest first: an admin sees all, others their own',
    AccessDeniedError,
  )
  list(@CurrentPrincipal() caller: Principal, @Query() query: AuditQueryDto): Promise<AuditListDto> {
    return this.audit.list(caller, query);
  }
}
