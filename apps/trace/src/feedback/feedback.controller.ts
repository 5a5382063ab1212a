import type { Readable } from 'node:stream';

import { Body, Controller, Header, Post, UseGuards } from '@nestjs/common';
import { BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import {
  FeedbackBatchDto,
  FeedbackBatchResultDto,
  FeedbackCreateDto,
  FeedbackCreateResultDto,
  FeedbackQueryDto,
  FeedbackQueryResultDto,
  type RawJson,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, IdempotentByKey } from '@hone/platform';

import type { FeedbackResult } from './feedback.mapper.js';
import { FeedbackService } from './feedback.service.js';
import { FeedbackQueryService } from './query/feedback-query.service.js';

@ApiBasicAuth('basic')
@Controller('feedback')
@UseGuards(BasicAuthGuard)
export class FeedbackController {
  constructor(
    private readonly feedback: FeedbackService,
    private readonly queries: FeedbackQueryService,
  ) {}

  @Post('create')
  @IdempotentByKey()
  @Answers(FeedbackCreateResultDto, 'Add feedback to a call or object', 403, 409, 413, 422)
  create(@CurrentPrincipal() author: Principal, @Body() body: FeedbackCreateDto): Promise<FeedbackResult> {
    return this.feedback.create(author, body);
  }

  @Post('batch/create')
  @IdempotentByKey()
  @Answers(FeedbackBatchResultDto, 'Add several feedback records, all or none', 403, 409, 413, 422)
  createBatch(
    @CurrentPrincipal() author: Principal,
    @Body() body: FeedbackBatchDto,
  ): Promise<{ res: FeedbackResult[] }> {
    return this.feedback.createBatch(author, body.batch);
  }

  @Post('query')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(FeedbackQueryResultDto, 'Query feedback records', 400, 403, 422)
  query(@CurrentPrincipal() caller: Principal, @Body() body: FeedbackQueryDto): Promise<RawJson | Readable> {
    return this.queries.query(caller, body);
  }
}
