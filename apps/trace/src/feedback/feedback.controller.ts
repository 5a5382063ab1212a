import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  EmptyResultDto,
  FeedbackBatchDto,
  FeedbackBatchResultDto,
  FeedbackCreateDto,
  FeedbackCreateResultDto,
  FeedbackHistoryDto,
  FeedbackHistoryResultDto,
  FeedbackPurgeDto,
  FeedbackQueryDto,
  FeedbackQueryResultDto,
  FeedbackRecordDto,
  FeedbackReplaceDto,
  type RawJson,
} from '@hone/contracts';
import {
  Answers,
  ApiBasicAuth,
  AsLines,
  Feature,
  IdempotentByKey,
  MayAnswerLines,
  QueryTimeoutError,
} from '@hone/platform';
import { Body, Controller, Header, Post, UseGuards } from '@nestjs/common';

import type { RowsAnswer } from '../streams/rows-answer.js';
import { FeedbackIdTakenError, FeedbackNotFoundError, PayloadTooLargeError } from './feedback.errors.js';
import type { FeedbackResult } from './feedback.mapper.js';
import { FeedbackService } from './feedback.service.js';
import { FeedbackChangeService } from './feedback-change.service.js';
import { FeedbackHistoryService } from './history/feedback-history.service.js';
import { FeedbackQueryService } from './query/feedback-query.service.js';

@ApiBasicAuth('basic')
@Feature('feedback', 'Judgements of calls and objects, by people and scorers.')
@Controller('feedback')
@UseGuards(BasicAuthGuard)
export class FeedbackController {
  constructor(
    private readonly feedback: FeedbackService,
    private readonly changes: FeedbackChangeService,
    private readonly history: FeedbackHistoryService,
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

  @Post('replace')
  @IdempotentByKey()
  @Answers(
    FeedbackCreateResultDto,
    'replaceFeedback',
    'Put a feedback record in the place of another',
    AccessDeniedError,
    ProjectNotFoundError,
    FeedbackNotFoundError,
    FeedbackIdTakenError,
    PayloadTooLargeError,
  )
  replace(@CurrentPrincipal() author: Principal, @Body() body: FeedbackReplaceDto): Promise<FeedbackResult> {
    return this.changes.replace(author, body);
  }

  @Post('purge')
  @Answers(EmptyResultDto, 'purgeFeedback', 'Delete feedback records for good', AccessDeniedError, ProjectNotFoundError)
  purge(@CurrentPrincipal() caller: Principal, @Body() body: FeedbackPurgeDto): Promise<EmptyResultDto> {
    return this.changes.purge(caller, body);
  }

  @Post('history')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(
    FeedbackHistoryResultDto,
    'readFeedbackHistory',
    'Read the records that a feedback record replaced',
    AccessDeniedError,
    ProjectNotFoundError,
    FeedbackNotFoundError,
    QueryTimeoutError,
  )
  readHistory(@CurrentPrincipal() caller: Principal, @Body() body: FeedbackHistoryDto): Promise<RawJson | Readable> {
    return this.history.read(caller, body);
  }

  @Post('query')
  @MayAnswerLines(FeedbackRecordDto)
  @Answers(FeedbackQueryResultDto, 'queryFeedback', 'Query feedback records', AccessDeniedError, QueryTimeoutError)
  query(
    @CurrentPrincipal() caller: Principal,
    @Body() body: FeedbackQueryDto,
    @AsLines() asLines: boolean,
  ): Promise<RowsAnswer> {
    return this.queries.query(caller, body, asLines);
  }
}
