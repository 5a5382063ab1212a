import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { CallBatchDto, CallBatchResultDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature } from '@hone/platform';

import { CallService } from './call.service.js';

@ApiBasicAuth('basic')
@Feature('calls', 'Traced executions.')
@Controller('call')
@UseGuards(BasicAuthGuard)
export class CallsController {
  constructor(private readonly calls: CallService) {}

  @Post('upsert_batch')
  @Answers(CallBatchResultDto, 'upsertCalls', 'Store starts and ends of calls, all or none', AccessDeniedError)
  upsertBatch(@CurrentPrincipal() author: Principal, @Body() body: CallBatchDto): Promise<CallBatchResultDto> {
    return this.calls.upsertBatch(author, body.batch);
  }
}
