import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { AgreementDto, AgreementQueryDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature, QueryTimeoutError } from '@hone/platform';
import { Controller, Get, Header, Param, Query, UseGuards } from '@nestjs/common';

import { QueueNotFoundError } from '../queue.errors.js';
import { AgreementService } from './agreement.service.js';
import { toAgreementAnswer } from './agreement-answer.js';

@ApiBasicAuth('basic')
@Feature('annotation queues', 'Calls that wait for people to annotate them.')
@Controller('annotation_queues/:queue_id')
@UseGuards(BasicAuthGuard)
export class AgreementController {
  constructor(private readonly agreement: AgreementService) {}

  @Get('agreement')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(
    AgreementDto,
    'readAnnotationAgreement',
    'Measure how well the annotators of a queue agree',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
    QueryTimeoutError,
  )
  async read(
    @CurrentPrincipal() caller: Principal,
    @Param('queue_id') queueId: string,
    @Query() query: AgreementQueryDto,
  ): Promise<AgreementDto | Readable> {
    return toAgreementAnswer(await this.agreement.compute(caller, queueId, query));
  }
}
