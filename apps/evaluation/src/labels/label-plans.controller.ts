import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { LabelPlanDto, LabelPlanQueryDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { ScorerNotDefinedError, ScorerNotFoundError } from '../scorers/scorers.errors.js';
import { TooManyLabelsError } from '../truth/reports.errors.js';
import { LabelPlansService } from './label-plans.service.js';
import { NoScaleError } from './labels.errors.js';

@Feature('labels', "How many of people's labels a judge needs, and of which calls.")
@Controller('evaluation/label-plans')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class LabelPlansController {
  constructor(private readonly plans: LabelPlansService) {}

  @Post()
  @Answers(
    LabelPlanDto,
    'planLabels',
    'Say how many labels make a mean known within a width',
    AccessDeniedError,
    ProjectNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
    TooManyLabelsError,
    NoScaleError,
  )
  plan(@CurrentPrincipal() caller: Principal, @Body() body: LabelPlanQueryDto): Promise<LabelPlanDto> {
    return this.plans.plan(caller, body);
  }
}
