import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  PredictionListQueryDto,
  type RawJson,
  ScoreCreateResultDto,
  ScoreDto,
  ScoresDeleteQueryDto,
  TrackedDeleteResultDto,
} from '@hone/contracts';
import {
  Answers,
  AnswersLines,
  ApiBasicAuth,
  BodyContent,
  EntityPipe,
  Feature,
  IdempotentByKey,
  NamePipe,
  QueryTimeoutError,
  ReadsBody,
} from '@hone/platform';
import { Controller, Delete, Get, Header, Param, Post, Query, UseGuards } from '@nestjs/common';

import { CallNotFoundError } from '../calls/call.errors.js';
import { SCORE_BODY, type SentScore } from './run-bodies.task.js';
import { ScoreService } from './score.service.js';
import { TrackedCallService } from './tracked-call.service.js';
import { SCORE } from './tracked-kinds.js';

@ApiBasicAuth('basic')
@Feature('evaluation-runs', 'Runs of evaluations: predictions of a model, with what scorers found.')
@Controller('v2/:entity/:project/scores')
@UseGuards(BasicAuthGuard)
export class ScoresController {
  constructor(
    private readonly scores: ScoreService,
    private readonly tracked: TrackedCallService,
  ) {}

  @Post()
  @ReadsBody(SCORE_BODY)
  @IdempotentByKey('path')
  @Answers(
    ScoreCreateResultDto,
    'createScore',
    'Store what a scorer found about a prediction',
    AccessDeniedError,
    ProjectNotFoundError,
    CallNotFoundError,
  )
  create(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @BodyContent() body: SentScore,
  ): Promise<ScoreCreateResultDto> {
    return this.scores.create(author, `${entity}/${project}`, body);
  }

  @Get()
  @AnswersLines(ScoreDto, 'listScores', 'List scores, one on each line', AccessDeniedError, QueryTimeoutError)
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: PredictionListQueryDto,
  ): Promise<RawJson | Readable> {
    return this.scores.list(caller, `${entity}/${project}`, query);
  }

  @Get(':score_id')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(ScoreDto, 'getScore', 'Read a score', AccessDeniedError, ProjectNotFoundError, CallNotFoundError)
  get(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('score_id') id: string,
  ): Promise<RawJson> {
    return this.tracked.get(SCORE, caller, `${entity}/${project}`, id);
  }

  @Delete()
  @Answers(TrackedDeleteResultDto, 'deleteScores', 'Delete scores', AccessDeniedError, ProjectNotFoundError)
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: ScoresDeleteQueryDto,
  ): Promise<TrackedDeleteResultDto> {
    return this.tracked.delete(SCORE, caller, `${entity}/${project}`, query.score_ids);
  }
}
