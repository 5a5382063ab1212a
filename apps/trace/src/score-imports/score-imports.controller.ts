import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, SecretKeyAuthGuard } from '@hone/auth';
import { LangfuseScoreDto, LangfuseScoreResultDto, ScoreImportDto, ScoreImportResultDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiHeader, CallerLeft, Feature, type RequestBody, TakesRawBody } from '@hone/platform';
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

/** Where SDKs of Langfuse send their scores. */
@ApiBasicAuth('basic')
@Feature('feedback', 'Judgements of calls and objects, by people and scorers.')
@Controller('api/public/scores')
@UseGuards(SecretKeyAuthGuard)
export class LangfuseScoresController {
  constructor(private readonly scores: ScoreImportsService) {}

  @Post()
  @TakesRawBody(LangfuseScoreDto)
  @ApiHeader({
    name: 'Hone-Project',
    required: false,
    description: 'Project `<entity>/<project>` that has the calls. Absent: the project of the key.',
  })
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
    // A header without a value names none.
    const project = (request.headers['hone-project'] as string | undefined)?.trim() || undefined;
    const result = await this.scores.send(author, request.body as RequestBody, project, left);
    reply.status(statusOf(result));
    return result;
  }
}

function statusOf({ id, rejected }: LangfuseScoreResultDto): HttpStatus {
  if (id !== undefined) return HttpStatus.OK;
  return rejected === undefined ? HttpStatus.ACCEPTED : HttpStatus.MULTI_STATUS;
}
