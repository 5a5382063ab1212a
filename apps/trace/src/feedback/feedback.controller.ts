import type { Readable } from 'node:stream';

import { Body, Controller, Header, Post, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import {
  FeedbackBatchDto,
  FeedbackBatchResultDto,
  FeedbackCreateDto,
  FeedbackCreateResultDto,
  FeedbackQueryDto,
  FeedbackQueryResultDto,
  type RawJson,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature, IdempotentByKey, QueryTimeoutError } from '@hone/platform';

import { FeedbackIdTakenError, PayloadTooLargeError } from './feedback.errors.js';
import type { FeedbackResult } from './feedback.mapper.js';
import { FeedbackService } from './feedback.service.js';
import { FeedbackQueryService } from './query/feedback-query.service.js';

@ApiBasicAuth('basic')
@Feature('feedback', 'Judgements of calls and objects, by people and scorers.')
@Controller('feedback')
@UseGuards(BasicAuthGuard)
export class FeedbackController {
  constructor(
    private readonly feedback: FeedbackService,
    private readonly queries: FeedbackQueryService,
  ) {}

  @Post('create')
  @IdempotentByKey()
  @Answers(
    FeedbackCreateResultDto,
    'createFeedback',
    'Add feedback to a call or object',
    AccessDeniedError,
    FeedbackIdTakenError,
    PayloadTooLargeError,
  )
  create(@CurrentPrincipal() author: Principal, @Body() body: FeedbackCreateDto): Promise<FeedbackResult> {
    return this.feedback.create(author, body);
  }

  @Post('batch/create')
  @IdempotentByKey()
  @Answers(
    FeedbackBatchResultDto,
    'createFeedbackBatch',
    'Add several feedback records, all or none',
    AccessDeniedError,
    FeedbackIdTakenError,
    PayloadTooLargeError,
  )
  createBatch(
    @CurrentPrincipal() author: Principal,
    @Body() body: FeedbackBatchDto,
  ): Promise<{ res: FeedbackResult[] }> {
    return this.feedback.createBatch(author, body.batch);
  }

  @Post('query')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(FeedbackQueryResultDto, 'queryFeedback', 'Query feedback records', AccessDeniedError, QueryTimeoutError)
  query(@CurrentPrincipal() caller: Principal, @Body() body: FeedbackQueryDto): Promise<RawJson | Readable> {
    return this.queries.query(caller, body);
  }
}
