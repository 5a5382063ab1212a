import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, SecretKeyAuthGuard } from '@hone/auth';
import {
  LangfuseEventsDto,
  LangfuseEventsResultDto,
  LangfuseScoreDto,
  LangfuseScoreResultDto,
  ScoreImportDto,
  ScoreImportResultDto,
} from '@hone/contracts';
import {
  Answers,
  ApiBasicAuth,
  ApiHeader,
  ApiResponse,
  CallerLeft,
  Feature,
  type RequestBody,
  TakesRawBody,
} from '@hone/platform';
import { Body, Controller, HttpStatus, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { PayloadTooLargeError } from '../feedback/feedback.errors.js';
import { WaitingScoresFullError } from './score-imports.errors.js';
import { ScoreImportsService } from './score-imports.service.js';

@ApiBasicAuth('basic')
@Feature('feedback', 'Judgements of calls and objects, by people and scorers.')
@Controller('feedback')
@UseGuards(BasicAuthGuard)
export class ScoreImportsController {
  constructor(private readonly scores: ScoreImportsService) {}

  @Post('import')
  @Answers(
    ScoreImportResultDto,
    'importScores',
    'Store scores that another tool exported, as feedback',
    AccessDeniedError,
  )
  import(
    @CurrentPrincipal() author: Principal,
    @Body() body: ScoreImportDto,
    @CallerLeft() left: AbortSignal,
  ): Promise<ScoreImportResultDto> {
    return this.scores.import(author, body, left);
  }
}

const PROJECT_HEADER = {
  name: 'Hone-Project',
  required: false,
  description: 'Project `<entity>/<project>` that has the calls. Absent: the project of the key.',
};

/** Where SDKs of Langfuse send their scores. */
@ApiBasicAuth('basic')
@Feature('feedback', 'Judgements of calls and objects, by people and scorers.')
@Controller('api/public')
@UseGuards(SecretKeyAuthGuard)
export class LangfuseScoresController {
  constructor(private readonly scores: ScoreImportsService) {}

  @Post('scores')
  @TakesRawBody(LangfuseScoreDto)
  @ApiHeader(PROJECT_HEADER)
  @Answers(
    LangfuseScoreResultDto,
    'sendLangfuseScores',
    'Store scores of Langfuse SDKs as feedback',
    AccessDeniedError,
    PayloadTooLargeError,
    WaitingScoresFullError,
  )
  async send(
    @CurrentPrincipal() author: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CallerLeft() left: AbortSignal,
  ): Promise<LangfuseScoreResultDto> {
    const result = await this.scores.send(author, request.body as RequestBody, projectOf(request), left);
    reply.status(statusOf(result));
    return result;
  }

  @Post('ingestion')
  @TakesRawBody(LangfuseEventsDto)
  @ApiHeader(PROJECT_HEADER)
  @ApiResponse({
    status: HttpStatus.MULTI_STATUS,
    type: LangfuseEventsResultDto,
    description: 'Some events were refused.',
  })
  @Answers(
    LangfuseEventsResultDto,
    'sendLangfuseEvents',
    'Store scores of Langfuse SDKs before version 5 as feedback',
    AccessDeniedError,
  )
  async ingest(
    @CurrentPrincipal() author: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CallerLeft() left: AbortSignal,
  ): Promise<LangfuseEventsResultDto> {
    const result = await this.scores.ingest(author, request.body as RequestBody, projectOf(request), left);
    // SDKs look for errors in an answer with this status alone.
    if (result.errors.length > 0) reply.status(HttpStatus.MULTI_STATUS);
    return result;
  }
}

/** A header without a value names none. */
const projectOf = ({ headers }: FastifyRequest): string | undefined =>
  (headers['hone-project'] as string | undefined)?.trim() || undefined;

function statusOf({ id, rejected }: LangfuseScoreResultDto): HttpStatus {
  if (id !== undefined) return HttpStatus.OK;
  return rejected === undefined ? HttpStatus.ACCEPTED : HttpStatus.MULTI_STATUS;
}
