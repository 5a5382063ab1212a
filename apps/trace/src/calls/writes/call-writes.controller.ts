import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { CallBatchResultDto, CallStartResultDto, EmptyResultDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, BodyContent, Feature, ReadsBody } from '@hone/platform';
import { Controller, Post, UseGuards } from '@nestjs/common';

import { CALL_BATCH, CALL_END, CALL_START, type SentCall } from './call-bodies.task.js';
import { CallWriteService } from './call-write.service.js';

@ApiBasicAuth('basic')
@Feature('calls', 'Traced executions.')
@Controller('call')
@UseGuards(BasicAuthGuard)
export class CallWritesController {
  constructor(private readonly calls: CallWriteService) {}

  @Post('start')
  @ReadsBody(CALL_START)
  @Answers(CallStartResultDto, 'startCall', 'Store the start of a call', AccessDeniedError)
  start(@CurrentPrincipal() author: Principal, @BodyContent() call: SentCall): Promise<CallStartResultDto> {
    return this.calls.start(author, call.projectId as string, call);
  }

  @Post('end')
  @ReadsBody(CALL_END)
  @Answers(EmptyResultDto, 'endCall', 'Store the end of a call', AccessDeniedError)
  end(@CurrentPrincipal() author: Principal, @BodyContent() call: SentCall): Promise<EmptyResultDto> {
    return this.calls.end(author, call.projectId as string, call);
  }

  @Post('upsert_batch')
  @ReadsBody(CALL_BATCH)
  @Answers(CallBatchResultDto, 'upsertCalls', 'Store starts and ends of calls, all or none', AccessDeniedError)
  upsertBatch(@CurrentPrincipal() author: Principal, @BodyContent() halves: SentCall[]): Promise<CallBatchResultDto> {
    return this.calls.upsertBatch(author, halves);
  }
}
