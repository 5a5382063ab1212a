import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { LabelQueueCreateDto, LabelQueueDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature, IdempotentByKey } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { ScorerNotDefinedError, ScorerNotFoundError } from '../scorers/scorers.errors.js';
import { LabelQueuesService } from './label-queues.service.js';
import { NoScaleError, NothingToDrawError, WidthOutOfReachError } from './labels.errors.js';

@Feature('labels', "How many of people's labels a judge needs, and of which calls.")
@Controller('evaluation/label-queues')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class LabelQueuesController {
  constructor(private readonly queues: LabelQueuesService) {}

  @Post()
  @IdempotentByKey()
  @Answers(
    LabelQueueDto,
    'createLabelQueue',
    'Draw calls for labelling into an annotation queue',
    AccessDeniedError,
    ProjectNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
    NoScaleError,
    NothingToDrawError,
    WidthOutOfReachError,
  )
  create(@CurrentPrincipal() author: Principal, @Body() body: LabelQueueCreateDto): Promise<LabelQueueDto> {
    return this.queues.create(author, body);
  }
}
