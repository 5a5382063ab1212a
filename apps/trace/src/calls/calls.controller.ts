import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { CallBatchDto, CallBatchResultDto } from '@hone/contracts';
import { Answers, ApiBasicAuth } from '@hone/platform';

import { CallService } from './call.service.js';

@ApiBasicAuth('basic')
@Controller('call')
@UseGuards(BasicAuthGuard)
export class CallsController {
  constructor(private readonly calls: CallService) {}

  @Post('upsert_batch')
  @Answers(CallBatchResultDto, 'Store starts and ends of calls', 403, 413, 422)
  upsertBatch(@CurrentPrincipal() author: Principal, @Body() body: CallBatchDto): Promise<CallBatchResultDto> {
    return this.calls.upsertBatch(author, body.batch);
  }
}
