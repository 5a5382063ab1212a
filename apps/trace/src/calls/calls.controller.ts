import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { SearchOffError } from '@hone/call-queries';
import {
  CallDto,
  CallReadDto,
  CallReadResultDto,
  CallsDeleteDto,
  CallsDeleteResultDto,
  CallsPageDto,
  CallsPageQueryDto,
  CallsQueryDto,
  CallsStatsQueryDto,
  CallsStatsResultDto,
  CallUpdateDto,
  EmptyResultDto,
  type RawJson,
} from '@hone/contracts';
import {
  Answers,
  AnswersLines,
  ApiBasicAuth,
  AsLines,
  Feature,
  MayAnswerLines,
  QueryTimeoutError,
} from '@hone/platform';
import { Body, Controller, Header, Post, UseGuards } from '@nestjs/common';

import type { RowsAnswer } from '../streams/rows-answer.js';
import { CallNotFoundError } from './call.errors.js';
import { CallReadService } from './reads/call-read.service.js';
import { CallChangeService } from './writes/call-change.service.js';

@ApiBasicAuth('basic')
@Feature('calls', 'Traced executions.')
@Controller()
@UseGuards(BasicAuthGuard)
export class CallsController {
  constructor(
    private readonly reads: CallReadService,
    private readonly changes: CallChangeService,
  ) {}

  @Post('call/read')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(CallReadResultDto, 'readCall', 'Read a call', AccessDeniedError, ProjectNotFoundError)
  read(@CurrentPrincipal() caller: Principal, @Body() body: CallReadDto): Promise<RawJson | Readable> {
    return this.reads.read(caller, body);
  }

  @Post('calls/stream_query')
  @AnswersLines(
    CallDto,
    'queryCalls',
    'Query calls, one per line',
    AccessDeniedError,
    SearchOffError,
    QueryTimeoutError,
  )
  stream(@CurrentPrincipal() caller: Principal, @Body() body: CallsQueryDto): Promise<RawJson | Readable> {
    return this.reads.stream(caller, body);
  }

  @Post('calls/query')
  @MayAnswerLines(CallDto)
  @Answers(
    CallsPageDto,
    'queryCallPages',
    'Query calls, page by page',
    AccessDeniedError,
    SearchOffError,
    QueryTimeoutError,
  )
  query(
    @CurrentPrincipal() caller: Principal,
    @Body() body: CallsPageQueryDto,
    @AsLines() asLines: boolean,
  ): Promise<RowsAnswer> {
    return this.reads.query(caller, body, asLines);
  }

  @Post('calls/query_stats')
  @Answers(
    CallsStatsResultDto,
    'countCalls',
    'Count calls that match',
    AccessDeniedError,
    SearchOffError,
    QueryTimeoutError,
  )
  count(@CurrentPrincipal() caller: Principal, @Body() body: CallsStatsQueryDto): Promise<CallsStatsResultDto> {
    return this.reads.count(caller, body);
  }

  @Post('call/update')
  @Answers(
    EmptyResultDto,
    'updateCall',
    'Give a call another name to show',
    AccessDeniedError,
    ProjectNotFoundError,
    CallNotFoundError,
  )
  update(@CurrentPrincipal() caller: Principal, @Body() body: CallUpdateDto): Promise<EmptyResultDto> {
    return this.changes.rename(caller, body);
  }

  @Post('calls/delete')
  @Answers(
    CallsDeleteResultDto,
    'deleteCalls',
    'Delete calls and those that they made',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  delete(@CurrentPrincipal() caller: Principal, @Body() body: CallsDeleteDto): Promise<CallsDeleteResultDto> {
    return this.changes.delete(caller, body);
  }
}
