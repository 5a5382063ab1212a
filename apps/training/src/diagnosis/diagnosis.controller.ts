import { Controller, Post, UseGuards } from '@nestjs/common';
import { BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { DiagnosisDto } from '@hone/contracts';
import { Answers, ApiBearerAuth } from '@hone/platform';

import { ReadsLargeBody } from '../http/large-bodies/large-body.decorator.js';
import { type LargeBody, ReadBody } from '../http/large-bodies/large-body.interceptor.js';
import { type RlBody, TASK as RL_BODY } from '../jobs/rl-body.js';
import { type SftBody, TASK as SFT_BODY } from '../jobs/sft-body.js';
import { DiagnosisService } from './diagnosis.service.js';

@ApiBearerAuth('bearer')
@Controller('v1/preview')
@UseGuards(BearerAuthGuard)
export class DiagnosisController {
  constructor(private readonly diagnoses: DiagnosisService) {}

  @Post('training-jobs/diagnose')
  @ReadsLargeBody(RL_BODY)
  @Answers(DiagnosisDto, 'What a reinforcement learning job would train, without one', 403, 404, 413, 422)
  diagnoseRl(@CurrentPrincipal() caller: Principal, @ReadBody() body: LargeBody<RlBody>): Promise<DiagnosisDto> {
    return this.diagnoses.diagnoseRl(caller, body);
  }

  @Post('sft-training-jobs/diagnose')
  @ReadsLargeBody(SFT_BODY)
  @Answers(DiagnosisDto, 'What a fine-tuning job would train, without one', 403, 404, 413, 422)
  diagnoseSft(@CurrentPrincipal() caller: Principal, @ReadBody() body: LargeBody<SftBody>): Promise<DiagnosisDto> {
    return this.diagnoses.diagnoseSft(caller, body);
  }
}
