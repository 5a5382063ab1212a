import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  AnnotationAuditResultDto,
  AssigneesResultDto,
  AssigneesSetDto,
  ProjectQueryDto,
  ReopenDto,
  ReopenResultDto,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature, IdempotentByKey } from '@hone/platform';
import { Body, Controller, Get, Param, Post, Put, Query, UseGuards } from '@nestjs/common';

import { AssignmentService } from './assignment.service.js';
import { IllegalTransitionError, QueueItemNotFoundError, QueueNotFoundError } from './queue.errors.js';

@ApiBasicAuth('basic')
@Feature('annotation queues', 'Calls that wait for people to annotate them.')
@Controller('annotation_queues/:queue_id/items/:item_id')
@UseGuards(BasicAuthGuard)
export class AssignmentsController {
  constructor(private readonly assignments: AssignmentService) {}

  @Get('assignees')
  @Answers(
    AssigneesResultDto,
    'listAnnotationAssignees',
    'List who should annotate an item',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
    QueueItemNotFoundError,
  )
  assignees(
    @CurrentPrincipal() caller: Principal,
    @Param('queue_id') queueId: string,
    @Param('item_id') itemId: string,
    @Query() { project_id }: ProjectQueryDto,
  ): Promise<AssigneesResultDto> {
    return this.assignments.listAssignees(caller, project_id, queueId, itemId);
  }

  @Put('assignees')
  @Answers(
    AssigneesResultDto,
    'setAnnotationAssignees',
    'Set who should annotate an item',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
    QueueItemNotFoundError,
  )
  assign(
    @CurrentPrincipal() actor: Principal,
    @Param('queue_id') queueId: string,
    @Param('item_id') itemId: string,
    @Body() body: AssigneesSetDto,
  ): Promise<AssigneesResultDto> {
    return this.assignments.assign(actor, queueId, itemId, body);
  }

  @Post('reopen')
  @IdempotentByKey()
  @Answers(
    ReopenResultDto,
    'reopenAnnotation',
    'Let an annotator judge an item again',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
    QueueItemNotFoundError,
    IllegalTransitionError,
  )
  reopen(
    @CurrentPrincipal() actor: Principal,
    @Param('queue_id') queueId: string,
    @Param('item_id') itemId: string,
    @Body() body: ReopenDto,
  ): Promise<ReopenResultDto> {
    return this.assignments.reopen(actor, queueId, itemId, body);
  }

  @Get('audit')
  @Answers(
    AnnotationAuditResultDto,
    'listAnnotationAudit',
    'List what was changed of the work on an item',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
    QueueItemNotFoundError,
  )
  audit(
    @CurrentPrincipal() caller: Principal,
    @Param('queue_id') queueId: string,
    @Param('item_id') itemId: string,
    @Query() { project_id }: ProjectQueryDto,
  ): Promise<AnnotationAuditResultDto> {
    return this.assignments.listAudit(caller, project_id, queueId, itemId);
  }
}
