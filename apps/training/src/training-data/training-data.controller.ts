import { ArtifactTooLargeError, StorageFullError, StorageUnavailableError } from '@hone/artifacts';
import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { SearchIncompleteError, SearchOffError } from '@hone/call-queries';
import { type RawJson, TrainingDataDto, TrainingDataFromCallsDto } from '@hone/contracts';
import {
  Answers,
  ApiBearerAuth,
  Feature,
  IdempotencyInProgressError,
  IdempotencyKeyInvalidError,
  IdempotencyKeyReusedError,
  QueryTimeoutError,
} from '@hone/platform';
import { Body, Controller, Post, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { ModelNotFoundError } from '../models/model.errors.js';
import { FromCallsService } from './from-calls.service.js';
import { DataBusyError, TooManyCallsError, TooManyTrajectoriesError } from './training-data.errors.js';

@ApiBearerAuth('bearer')
@Feature('training data', 'Training data that is made of judged calls.')
@Controller('v1/preview/training-data')
@UseGuards(BearerAuthGuard)
export class TrainingDataController {
  constructor(private readonly fromCalls: FromCallsService) {}

  @Post('from-calls')
  @Answers(
    TrainingDataDto,
    'makeTrainingData',
    'Make training data of judged calls',
    AccessDeniedError,
    ModelNotFoundError,
    IdempotencyKeyInvalidError,
    IdempotencyKeyReusedError,
    IdempotencyInProgressError,
    SearchOffError,
    SearchIncompleteError,
    QueryTimeoutError,
    TooManyCallsError,
    TooManyTrajectoriesError,
    ArtifactTooLargeError,
    DataBusyError,
    StorageUnavailableError,
    StorageFullError,
  )
  make(
    @CurrentPrincipal() author: Principal,
    @Body() body: TrainingDataFromCallsDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TrainingDataDto | RawJson> {
    return this.fromCalls.make(author, body, reply);
  }
}
