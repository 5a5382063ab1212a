import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  EmptyResultDto,
  FeedbackBatchResultDto,
  FeedbackCreateResultDto,
  FeedbackHistoryDto,
  FeedbackHistoryResultDto,
  FeedbackPurgeDto,
  FeedbackQueryDto,
  FeedbackQueryResultDto,
  FeedbackRecordDto,
  type RawJson,
} from '@hone/contracts';
import type { SentFeedback } from '@hone/feedback';
import {
  Answers,
  ApiBasicAuth,
  AsLines,
  BodyContent,
  Feature,
  IdempotentByKey,
  MayAnswerLines,
  QueryTimeoutError,
  ReadsBody,
} from '@hone/platform';
import { Body, Controller, Header, Post, UseGuards } from '@nestjs/common';

import type { RowsAnswer } from '../streams/rows-answer.js';
import { FeedbackIdTakenError, FeedbackNotFoundError, PayloadTooLargeError } from './feedback.errors.js';
import type { FeedbackResult } from './feedback.mapper.js';
import { FeedbackService } from './feedback.service.js';
import { BATCH_BODY, CREATE_BODY, REPLACE_BODY, type SentReplacement } from './feedback-bodies.task.js';
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
  @ReadsBody(CREATE_BODY)
  @Answers(
    FeedbackCreateResultDto,
    'createFeedback',
    'Add feedback to a call or object',
    AccessDeniedError,
    FeedbackIdTakenError,
    PayloadTooLargeError,
  )
  create(@CurrentPrincipal() author: Principal, @BodyContent() record: SentFeedback): Promise<FeedbackResult> {
    return this.feedback.create(author, record);
  }

  @Post('batch/create')
  @IdempotentByKey()
  @ReadsBody(BATCH_BODY)
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
    @BodyContent() batch: SentFeedback[],
  ): Promise<{ res: FeedbackResult[] }> {
    return this.feedback.createBatch(author, batch);
  }

  @Post('replace')
  @IdempotentByKey()
  @ReadsBody(REPLACE_BODY)
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
  replace(@CurrentPrincipal() author: Principal, @BodyContent() sent: SentReplacement): Promise<FeedbackResult> {
    return this.changes.replace(author, sent);
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
