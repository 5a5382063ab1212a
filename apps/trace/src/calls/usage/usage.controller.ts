import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { SearchOffError } from '@hone/call-queries';
import {
  CallStatsDto,
  CallStatsResultDto,
  CallsUsageDto,
  CallsUsageResultDto,
  type RawJson,
  ThreadDto,
  ThreadsQueryDto,
  TraceUsageDto,
} from '@hone/contracts';
import { Answers, AnswersLines, ApiBasicAuth, Feature, QueryTimeoutError } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { CallStatsService } from './call-stats.service.js';
import { ThreadsService } from './threads.service.js';
import { UsageService } from './usage.service.js';

@ApiBasicAuth('basic')
@Feature('calls', 'Traced executions.')
@Controller()
@UseGuards(BasicAuthGuard)
export class UsageController {
  constructor(
    private readonly usage: UsageService,
    private readonly statistics: CallStatsService,
    private readonly threads: ThreadsService,
  ) {}

  @Post('calls/usage')
  @Answers(
    CallsUsageResultDto,
    'readCallsUsage',
    'Sum what calls and their descendants used',
    AccessDeniedError,
    QueryTimeoutError,
  )
  ofCalls(@CurrentPrincipal() caller: Principal, @Body() body: CallsUsageDto): Promise<CallsUsageResultDto> {
    return this.usage.ofCalls(caller, body);
  }

  @Post('trace/usage')
  @Answers(
    CallsUsageResultDto,
    'readTraceUsage',
    'Sum what each of the calls that match used',
    AccessDeniedError,
    SearchOffError,
    QueryTimeoutError,
  )
  ofSelection(@CurrentPrincipal() caller: Principal, @Body() body: TraceUsageDto): Promise<CallsUsageResultDto> {
    return this.usage.ofSelection(caller, body);
  }

  @Post('calls/stats')
  @Answers(
    CallStatsResultDto,
    'readCallStats',
    'Count calls by time',
    AccessDeniedError,
    SearchOffError,
    QueryTimeoutError,
  )
  stats(@CurrentPrincipal() caller: Principal, @Body() body: CallStatsDto): Promise<CallStatsResultDto> {
    return this.statistics.list(caller, body);
  }

  @Post('threads/stream_query')
  @AnswersLines(ThreadDto, 'queryThreads', 'Query conversations, one per line', AccessDeniedError, QueryTimeoutError)
  stream(@CurrentPrincipal() caller: Principal, @Body() body: ThreadsQueryDto): Promise<RawJson | Readable> {
    return this.threads.stream(caller, body);
  }
}
