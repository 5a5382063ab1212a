import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  FinishResultDto,
  PredictionCreateResultDto,
  PredictionDto,
  PredictionFinishDto,
  PredictionListQueryDto,
  PredictionsDeleteQueryDto,
  type RawJson,
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
import { Body, Controller, Delete, Get, Header, Param, Post, Query, UseGuards } from '@nestjs/common';

import { CallNotFoundError } from '../calls/call.errors.js';
import { PredictionService } from './prediction.service.js';
import { PREDICTION_BODY, type SentPrediction } from './run-bodies.task.js';
import { TrackedCallService } from './tracked-call.service.js';
import { PREDICTION } from './tracked-kinds.js';

@ApiBasicAuth('basic')
@Feature('evaluation-runs', 'Runs of evaluations: predictions of a model, with what scorers found.')
@Controller('v2/:entity/:project/predictions')
@UseGuards(BasicAuthGuard)
export class PredictionsController {
  constructor(
    private readonly predictions: PredictionService,
    private readonly tracked: TrackedCallService,
  ) {}

  @Post()
  @ReadsBody(PREDICTION_BODY)
  @IdempotentByKey('path')
  @Answers(
    PredictionCreateResultDto,
    'createPrediction',
    'Store what a model answered',
    AccessDeniedError,
    ProjectNotFoundError,
    CallNotFoundError,
  )
  create(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @BodyContent() body: SentPrediction,
  ): Promise<PredictionCreateResultDto> {
    return this.predictions.create(author, `${entity}/${project}`, body);
  }

  @Get()
  @AnswersLines(
    PredictionDto,
    'listPredictions',
    'List predictions, one on each line',
    AccessDeniedError,
    QueryTimeoutError,
  )
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: PredictionListQueryDto,
  ): Promise<RawJson | Readable> {
    return this.predictions.list(caller, `${entity}/${project}`, query);
  }

  @Get(':prediction_id')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(
    PredictionDto,
    'getPrediction',
    'Read a prediction',
    AccessDeniedError,
    ProjectNotFoundError,
    CallNotFoundError,
  )
  get(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('prediction_id') id: string,
  ): Promise<RawJson> {
    return this.tracked.get(PREDICTION, caller, `${entity}/${project}`, id);
  }

  @Post(':prediction_id/finish')
  @Answers(
    FinishResultDto,
    'finishPrediction',
    'End an open prediction, or say that one failed',
    AccessDeniedError,
    ProjectNotFoundError,
    CallNotFoundError,
  )
  finish(
    @CurrentPrincipal() author: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('prediction_id') id: string,
    @Body() body: PredictionFinishDto,
  ): Promise<FinishResultDto> {
    return this.predictions.finish(author, `${entity}/${project}`, id, body);
  }

  @Delete()
  @Answers(
    TrackedDeleteResultDto,
    'deletePredictions',
    'Delete predictions with their scores',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: PredictionsDeleteQueryDto,
  ): Promise<TrackedDeleteResultDto> {
    return this.tracked.delete(PREDICTION, caller, `${entity}/${project}`, query.prediction_ids);
  }
}
