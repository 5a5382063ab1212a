import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { DiagnosisDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, Feature, type ReadBody, WholeBody } from '@hone/platform';
import { Controller, Post, UseGuards } from '@nestjs/common';

import { ArtifactNotFoundError } from '../artifacts/artifact.errors.js';
import { ReadsLargeBody } from '../http/large-bodies/large-body.decorator.js';
import {
  DataUrlTooLargeError,
  EvaluationUnavailableError,
  ParentStepNotFoundError,
  RolloutsNotConfiguredError,
  ScorerNotUsableError,
} from '../jobs/jobs.errors.js';
import type { LinesBody } from '../jobs/lines-body.js';
import { TASK as PREFERENCE_BODY } from '../jobs/preference-body.task.js';
import { type RlBody, TASK as RL_BODY } from '../jobs/rl-body.task.js';
import { TASK as SFT_BODY } from '../jobs/sft-body.task.js';
import { ModelNotFoundError } from '../models/model.errors.js';
import { DiagnosisTooLargeError } from './diagnosis.errors.js';
import { DiagnosisService } from './diagnosis.service.js';

const ERRORS = [
  AccessDeniedError,
  ModelNotFoundError,
  ParentStepNotFoundError,
  ArtifactNotFoundError,
  DataUrlTooLargeError,
  DiagnosisTooLargeError,
];

@ApiBearerAuth('bearer')
@Feature('training jobs', 'Training by reinforcement, by examples and by preferences.')
@Controller('v1/preview')
@UseGuards(BearerAuthGuard)
export class DiagnosisController {
  constructor(private readonly diagnoses: DiagnosisService) {}

  @Post('training-jobs/diagnose')
  @ReadsLargeBody(RL_BODY)
  @Answers(
    DiagnosisDto,
    'diagnoseTrainingJob',
    'Say what a reinforcement learning job would train, without making one',
    ...ERRORS,
    RolloutsNotConfiguredError,
    ScorerNotUsableError,
    EvaluationUnavailableError,
  )
  diagnoseRl(@CurrentPrincipal() caller: Principal, @WholeBody() body: ReadBody<RlBody>): Promise<DiagnosisDto> {
    return this.diagnoses.diagnoseRl(caller, body);
  }

  @Post('sft-training-jobs/diagnose')
  @ReadsLargeBody(SFT_BODY)
  @Answers(
    DiagnosisDto,
    'diagnoseSftTrainingJob',
    'Say what a fine-tuning job would train, without making one',
    ...ERRORS,
  )
  diagnoseSft(@CurrentPrincipal() caller: Principal, @WholeBody() body: ReadBody<LinesBody>): Promise<DiagnosisDto> {
    return this.diagnoses.diagnoseFile(caller, 'sft', body);
  }

  @Post('preference-training-jobs/diagnose')
  @ReadsLargeBody(PREFERENCE_BODY)
  @Answers(
    DiagnosisDto,
    'diagnosePreferenceTrainingJob',
    'Say what a job that learns from preferences would train, without making one',
    ...ERRORS,
  )
  diagnosePreference(
    @CurrentPrincipal() caller: Principal,
    @WholeBody() body: ReadBody<LinesBody>,
  ): Promise<DiagnosisDto> {
    return this.diagnoses.diagnoseFile(caller, 'preference', body);
  }
}
