import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { GradeDto, GradeResultDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, CallerLeft, Feature } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { ScorerNotDefinedError, ScorerNotFoundError } from '../scorers/scorers.errors.js';
import { GradeService } from './grade.service.js';

@Feature('scorers', 'Versioned judges of what models answer.')
@Controller('evaluation/scorers')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class GradeController {
  constructor(private readonly grades: GradeService) {}

  @Post('grade')
  @Answers(
    GradeResultDto,
    'gradeAnswers',
    'Grade answers without storing them or what is found',
    AccessDeniedError,
    ProjectNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
  )
  grade(
    @CurrentPrincipal() caller: Principal,
    @Body() body: GradeDto,
    @CallerLeft() left: AbortSignal,
  ): Promise<GradeResultDto> {
    return this.grades.grade(caller, body, left);
  }
}
