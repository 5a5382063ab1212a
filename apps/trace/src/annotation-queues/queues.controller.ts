import type { Readable } from 'node:stream';

import { Body, Controller, Header, Param, Post, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  ProgressResultDto,
  ProgressUpdateDto,
  QueueCreateDto,
  QueueCreateResultDto,
  QueueItemQueryDto,
  QueueItemQueryResultDto,
  QueueItemsAddDto,
  QueueItemsAddResultDto,
  type RawJson,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature, IdempotentByKey, QueryTimeoutError } from '@hone/platform';

import { IllegalTransitionError, QueueItemNotFoundError, QueueNotFoundError } from './queue.errors.js';
import { QueueService } from './queue.service.js';

@ApiBasicAuth('basic')
@Feature('annotation queues', 'Calls that wait for people to annotate them.')
@Controller('annotation_queues')
@UseGuards(BasicAuthGuard)
export class QueuesController {
  constructor(private readonly queues: QueueService) {}

  @Post()
  @IdempotentByKey()
  @Answers(QueueCreateResultDto, 'createAnnotationQueue', 'Create an annotation queue', AccessDeniedError)
  create(@CurrentPrincipal() author: Principal, @Body() body: QueueCreateDto): Promise<QueueCreateResultDto> {
    return this.queues.create(author, body);
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
    IllegalTransitionError,
  )
  progress(
    @CurrentPrincipal() annotator: Principal,
    @Param('queue_id') queueId: string,
    @Param('item_id') itemId: string,
    @Body() body: ProgressUpdateDto,
  ): Promise<ProgressResultDto> {
    return this.queues.progress(annotator, queueId, itemId, body);
  }

  @Post(':queue_id/items/query')
  @Header('content-type', 'application/json; charset=utf-8')
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
  ): Promise<RawJson | Readable> {
    return this.queues.queryItems(caller, queueId, body);
  }
}
