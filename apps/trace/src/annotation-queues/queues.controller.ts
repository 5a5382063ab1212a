import type { Readable } from 'node:stream';

import { Body, Controller, Header, Param, Post, UseGuards } from '@nestjs/common';
import { BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
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
import { Answers, ApiBasicAuth, IdempotentByKey } from '@hone/platform';

import { QueueService } from './queue.service.js';

@ApiBasicAuth('basic')
@Controller('annotation_queues')
@UseGuards(BasicAuthGuard)
export class QueuesController {
  constructor(private readonly queues: QueueService) {}

  @Post()
  @IdempotentByKey()
  @Answers(QueueCreateResultDto, 'Make an annotation queue', 403, 409, 422)
  create(@CurrentPrincipal() author: Principal, @Body() body: QueueCreateDto): Promise<QueueCreateResultDto> {
    return this.queues.create(author, body);
  }

  @Post(':queue_id/items')
  @IdempotentByKey()
  @Answers(QueueItemsAddResultDto, 'Put calls into an annotation queue', 403, 404, 409, 422)
  addItems(
    @CurrentPrincipal() author: Principal,
    @Param('queue_id') queueId: string,
    @Body() body: QueueItemsAddDto,
  ): Promise<QueueItemsAddResultDto> {
    return this.queues.addItems(author, queueId, body);
  }

  @Post(':queue_id/items/:item_id/progress')
  @IdempotentByKey()
  @Answers(ProgressResultDto, "Move the caller's own state of an item", 403, 404, 409, 422)
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
  @Answers(QueueItemQueryResultDto, 'Query the items of an annotation queue', 400, 403, 404, 422)
  queryItems(
    @CurrentPrincipal() caller: Principal,
    @Param('queue_id') queueId: string,
    @Body() body: QueueItemQueryDto,
  ): Promise<RawJson | Readable> {
    return this.queues.queryItems(caller, queueId, body);
  }
}
