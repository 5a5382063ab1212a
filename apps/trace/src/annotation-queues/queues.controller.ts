import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  ProgressResultDto,
  ProgressUpdateDto,
  ProjectQueryDto,
  QueueCreateDto,
  QueueCreateResultDto,
  QueueDto,
  QueueItemDto,
  QueueItemQueryDto,
  QueueItemQueryResultDto,
  QueueItemRemoveResultDto,
  QueueItemsAddDto,
  QueueItemsAddResultDto,
  QueueQueryDto,
  QueueResultDto,
  QueueStatsQueryDto,
  QueueStatsResultDto,
  QueueUpdateDto,
  type RawJson,
} from '@hone/contracts';
import {
  Answers,
  AnswersLines,
  ApiBasicAuth,
  AsLines,
  Feature,
  IdempotentByKey,
  MayAnswerLines,
  QueryTimeoutError,
} from '@hone/platform';
import { Body, Controller, Delete, Get, Param, Post, Put, Query, UseGuards } from '@nestjs/common';

import type { RowsAnswer } from '../streams/rows-answer.js';
import { ProgressService } from './progress.service.js';
import {
  CallDeletedError,
  IllegalTransitionError,
  NotAssignedError,
  QueueItemNotFoundError,
  QueueNotFoundError,
  ReviewersFullError,
} from './queue.errors.js';
import { QueueService } from './queue.service.js';

@ApiBasicAuth('basic')
@Feature('annotation queues', 'Calls that wait for people to annotate them.')
@Controller('annotation_queues')
@UseGuards(BasicAuthGuard)
export class QueuesController {
  constructor(
    private readonly queues: QueueService,
    private readonly annotations: ProgressService,
  ) {}

  @Post()
  @IdempotentByKey()
  @Answers(QueueCreateResultDto, 'createAnnotationQueue', 'Create an annotation queue', AccessDeniedError)
  create(@CurrentPrincipal() author: Principal, @Body() body: QueueCreateDto): Promise<QueueCreateResultDto> {
    return this.queues.create(author, body);
  }

  @Post('query')
  @AnswersLines(
    QueueDto,
    'queryAnnotationQueues',
    'Query annotation queues, one per line',
    AccessDeniedError,
    QueryTimeoutError,
  )
  query(@CurrentPrincipal() caller: Principal, @Body() body: QueueQueryDto): Promise<RawJson | Readable> {
    return this.queues.query(caller, body);
  }

  @Post('stats')
  @Answers(
    QueueStatsResultDto,
    'readAnnotationQueueStats',
    'Count the items of annotation queues',
    AccessDeniedError,
    QueryTimeoutError,
  )
  statistics(@CurrentPrincipal() caller: Principal, @Body() body: QueueStatsQueryDto): Promise<QueueStatsResultDto> {
    return this.queues.statistics(caller, body);
  }

  @Get(':queue_id')
  @Answers(
    QueueResultDto,
    'readAnnotationQueue',
    'Read an annotation queue',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
  )
  read(
    @CurrentPrincipal() caller: Principal,
    @Param('queue_id') queueId: string,
    @Query() { project_id }: ProjectQueryDto,
  ): Promise<QueueResultDto> {
    return this.queues.read(caller, project_id, queueId);
  }

  @Put(':queue_id')
  @Answers(
    QueueResultDto,
    'updateAnnotationQueue',
    'Change an annotation queue',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
  )
  update(
    @CurrentPrincipal() caller: Principal,
    @Param('queue_id') queueId: string,
    @Body() body: QueueUpdateDto,
  ): Promise<QueueResultDto> {
    return this.queues.update(caller, queueId, body);
  }

  @Delete(':queue_id')
  @Answers(
    QueueResultDto,
    'deleteAnnotationQueue',
    'Delete an annotation queue',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
  )
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('queue_id') queueId: string,
    @Query() { project_id }: ProjectQueryDto,
  ): Promise<QueueResultDto> {
    return this.queues.delete(caller, project_id, queueId);
  }

  @Post(':queue_id/items')
  @IdempotentByKey()
  @Answers(
    QueueItemsAddResultDto,
    'addAnnotationQueueItems',
    'Put calls into an annotation queue',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
  )
  addItems(
    @CurrentPrincipal() author: Principal,
    @Param('queue_id') queueId: string,
    @Body() body: QueueItemsAddDto,
  ): Promise<QueueItemsAddResultDto> {
    return this.queues.addItems(author, queueId, body);
  }

  @Post(':queue_id/items/:item_id/progress')
  @IdempotentByKey()
  @Answers(
    ProgressResultDto,
    'updateAnnotationProgress',
    "Move the caller's own state of an item",
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
    QueueItemNotFoundError,
    NotAssignedError,
    IllegalTransitionError,
    CallDeletedError,
    ReviewersFullError,
  )
  progress(
    @CurrentPrincipal() annotator: Principal,
    @Param('queue_id') queueId: string,
    @Param('item_id') itemId: string,
    @Body() body: ProgressUpdateDto,
  ): Promise<ProgressResultDto> {
    return this.annotations.move(annotator, queueId, itemId, body);
  }

  @Delete(':queue_id/items/:item_id')
  @Answers(
    QueueItemRemoveResultDto,
    'removeAnnotationQueueItem',
    'Take an item out of an annotation queue',
    AccessDeniedError,
    ProjectNotFoundError,
    QueueNotFoundError,
    QueueItemNotFoundError,
  )
  removeItem(
    @CurrentPrincipal() caller: Principal,
    @Param('queue_id') queueId: string,
    @Param('item_id') itemId: string,
    @Query() { project_id }: ProjectQueryDto,
  ): Promise<QueueItemRemoveResultDto> {
    return this.queues.removeItem(caller, project_id, queueId, itemId);
  }

  @Post(':queue_id/items/query')
  @MayAnswerLines(QueueItemDto)
  @Answers(
    QueueItemQueryResultDto,
    'queryAnnotationQueueItems',
    'Query the items of an annotation queue',
    AccessDeniedError,
    QueueNotFoundError,
    QueryTimeoutError,
  )
  queryItems(
    @CurrentPrincipal() caller: Principal,
    @Param('queue_id') queueId: string,
    @Body() body: QueueItemQueryDto,
    @AsLines() asLines: boolean,
  ): Promise<RowsAnswer> {
    return this.queues.queryItems(caller, queueId, body, asLines);
  }
}
