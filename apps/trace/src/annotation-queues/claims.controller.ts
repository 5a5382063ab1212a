import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  ClaimDto,
  ClaimResultDto,
  EmptyResultDto,
  LeaseReleaseDto,
  LeaseRenewDto,
  LeaseResultDto,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature, IdempotentByKey } from '@hone/platform';
import { Body, Controller, Param, Post, UseGuards } from '@nestjs/common';

import { ClaimService } from './claim.service.js';
import { LeaseLostError, NotAssignedError, QueueItemNotFoundError, QueueNotFoundError } from './queue.errors.js';

@ApiBasicAuth('basic')
@Feature('annotation queues', 'Calls that wait for people to annotate them.')
@Controller('annotation_queues/:queue_id/items')
@UseGuards(BasicAuthGuard)
export class ClaimsController {
  constructor(private readonly claims: ClaimService) {}

  @Post('claim')
  @IdempotentByKey()
  @Answers(
    ClaimResultDto,
    'claimAnnotationQueueItem',
    'Reserve the next item of a queue for the caller',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
  )
  claim(
    @CurrentPrincipal() annotator: Principal,
    @Param('queue_id') queueId: string,
    @Body() body: ClaimDto,
  ): Promise<ClaimResultDto> {
    return this.claims.claim(annotator, queueId, body);
  }

  @Post(':item_id/lease/renew')
  @IdempotentByKey()
  @Answers(
    LeaseResultDto,
    'renewAnnotationLease',
    'Keep a claimed item for longer',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
    QueueItemNotFoundError,
    NotAssignedError,
    LeaseLostError,
  )
  renew(
    @CurrentPrincipal() annotator: Principal,
    @Param('queue_id') queueId: string,
    @Param('item_id') itemId: string,
    @Body() body: LeaseRenewDto,
  ): Promise<LeaseResultDto> {
    return this.claims.renew(annotator, queueId, itemId, body);
  }

  @Post(':item_id/lease/release')
  @IdempotentByKey()
  @Answers(
    EmptyResultDto,
    'releaseAnnotationLease',
    'Give a claimed item back',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
    QueueItemNotFoundError,
    LeaseLostError,
  )
  release(
    @CurrentPrincipal() annotator: Principal,
    @Param('queue_id') queueId: string,
    @Param('item_id') itemId: string,
    @Body() body: LeaseReleaseDto,
  ): Promise<EmptyResultDto> {
    return this.claims.release(annotator, queueId, itemId, body);
  }
}
