import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import {
  CallBatchDto,
  CallBatchResultDto,
  CallEndRequestDto,
  CallStartRequestDto,
  CallStartResultDto,
  EmptyResultDto,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature } from '@hone/platform';

import { CallWriteService } from './call-write.service.js';

@ApiBasicAuth('basic')
@Feature('calls', 'Traced executions.')
@Controller('call')
@UseGuards(BasicAuthGuard)
export class CallWritesController {
  constructor(private readonly calls: CallWriteService) {}

  @Post('start')
  @Answers(CallStartResultDto, 'startCall', 'Store the start of a call', AccessDeniedError)
  start(@CurrentPrincipal() author: Principal, @Body() { start }: CallStartRequestDto): Promise<CallStartResultDto> {
    return this.calls.start(author, start.project_id, start);
  }

  @Post('end')
  @Answers(EmptyResultDto, 'endCall', 'Store the end of a call', AccessDeniedError)
  end(@CurrentPrincipal() author: Principal, @Body() { end }: CallEndRequestDto): Promise<EmptyResultDto> {
    return this.calls.end(author, end.project_id, end);
  }

  @Post('upsert_batch')
  @Answers(CallBatchResultDto, 'upsertCalls', 'Store starts and ends of calls, all or none', AccessDeniedError)
  upsertBatch(@CurrentPrincipal() author: Principal, @Body() body: CallBatchDto): Promise<CallBatchResultDto> {
    return this.calls.upsertBatch(author, body.batch);
  }
}
