import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { AgreementDto, AgreementQueryDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature, QueryTimeoutError } from '@hone/platform';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';

import { QueueNotFoundError } from '../queue.errors.js';
import { AgreementService } from './agreement.service.js';

@ApiBasicAuth('basic')
@Feature('annotation queues', 'Calls that wait for people to annotate them.')
@Controller('annotation_queues/:queue_id')
@UseGuards(BasicAuthGuard)
export class AgreementController {
  constructor(private readonly agreement: AgreementService) {}

  @Get('agreement')
  @Answers(
    AgreementDto,
    'readAnnotationAgreement',
    'Measure how well the annotators of a queue agree',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
    QueryTimeoutError,
  )
  read(
    @CurrentPrincipal() caller: Principal,
    @Param('queue_id') queueId: string,
    @Query() query: AgreementQueryDto,
  ): Promise<AgreementDto> {
    return this.agreement.compute(caller, queueId, query);
  }
}
