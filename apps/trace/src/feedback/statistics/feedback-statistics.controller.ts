import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import {
  FeedbackAggregateDto,
  FeedbackAggregateResultDto,
  FeedbackPayloadSchemaDto,
  FeedbackPayloadSchemaResultDto,
  FeedbackStatsDto,
  FeedbackStatsResultDto,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature, QueryTimeoutError } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { FeedbackAggregateService } from './feedback-aggregate.service.js';
import { FeedbackStatsService } from './feedback-stats.service.js';
import { PayloadSchemaService } from './payload-schema.service.js';

@ApiBasicAuth('basic')
@Feature('feedback', 'Judgements of calls and objects, by people and scorers.')
@Controller('feedback')
@UseGuards(BasicAuthGuard)
export class FeedbackStatisticsController {
  constructor(
    private readonly payloadSchemas: PayloadSchemaService,
    private readonly statistics: FeedbackStatsService,
    private readonly aggregates: FeedbackAggregateService,
  ) {}

  @Post('payload_schema')
  @Answers(
    FeedbackPayloadSchemaResultDto,
    'readFeedbackPayloadSchema',
    'Read what recent payloads are made of',
    AccessDeniedError,
    QueryTimeoutError,
  )
  payloadSchema(
    @CurrentPrincipal() caller: Principal,
    @Body() body: FeedbackPayloadSchemaDto,
  ): Promise<FeedbackPayloadSchemaResultDto> {
    return this.payloadSchemas.read(caller, body);
  }

  @Post('stats')
  @Answers(
    FeedbackStatsResultDto,
    'readFeedbackStats',
    'Count values of payloads by time',
    AccessDeniedError,
    QueryTimeoutError,
  )
  stats(@CurrentPrincipal() caller: Principal, @Body() body: FeedbackStatsDto): Promise<FeedbackStatsResultDto> {
    return this.statistics.read(caller, body);
  }

  @Post('aggregate')
  @Answers(
    FeedbackAggregateResultDto,
    'aggregateFeedback',
    'Count tags and sum ratings by time and scorer',
    AccessDeniedError,
    QueryTimeoutError,
  )
  aggregate(
    @CurrentPrincipal() caller: Principal,
    @Body() body: FeedbackAggregateDto,
  ): Promise<FeedbackAggregateResultDto> {
    return this.aggregates.read(caller, body);
  }
}
