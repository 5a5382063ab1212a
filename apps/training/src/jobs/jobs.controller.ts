import { StorageFullError, StorageUnavailableError } from '@hone/artifacts';
import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { TrainingJobDto, TrainingJobPageDto, TrainingJobsQueryDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, Feature, IdempotentByKey, IdPipe, type ReadBody, WholeBody } from '@hone/platform';
import { Controller, Get, Header, Param, Post, Query, UseGuards } from '@nestjs/common';

import { ArtifactNotFoundError } from '../artifacts/artifact.errors.js';
import { CheckpointAliasNotFoundError } from '../checkpoints/checkpoint.errors.js';
import { WritesLargeBody } from '../http/large-bodies/large-body.decorator.js';
import { ModelNotFoundError } from '../models/model.errors.js';
import {
  DataUrlTooLargeError,
  EvaluationUnavailableError,
  JobAlreadyFinishedError,
  JobNotFoundError,
  ParentStepNotFoundError,
  QueueFullError,
  RolloutsNotConfiguredError,
  ScorerNotUsableError,
} from './jobs.errors.js';
import { JobsService } from './jobs.service.js';
import { JobsCreateService } from './jobs-create.service.js';
import type { LinesBody } from './lines-body.js';
import { TASK as PREFERENCE_BODY } from './preference-body.task.js';
import { type RlBody, TASK as RL_BODY } from './rl-body.task.js';
import { TASK as SFT_BODY } from './sft-body.task.js';

const CREATION_ERRORS = [
  AccessDeniedError,
  ModelNotFoundError,
  ParentStepNotFoundError,
  CheckpointAliasNotFoundError,
  ArtifactNotFoundError,
  DataUrlTooLargeError,
  QueueFullError,
  StorageUnavailableError,
  StorageFullError,
];

@ApiBearerAuth('bearer')
@Feature('training jobs', 'Training by reinforcement, by examples and by preferences.')
@Controller('v1/preview')
@UseGuards(BearerAuthGuard)
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly creation: JobsCreateService,
  ) {}

  @Post('training-jobs')
  @WritesLargeBody(RL_BODY)
  @Answers(
    TrainingJobDto,
    'createTrainingJob',
    'Train a model by reinforcement learning',
    ...CREATION_ERRORS,
    RolloutsNotConfiguredError,
    ScorerNotUsableError,
    EvaluationUnavailableError,
  )
  createRl(@CurrentPrincipal() author: Principal, @WholeBody() body: ReadBody<RlBody>): Promise<TrainingJobDto> {
    return this.creation.createRl(author, body);
  }

  @Post('sft-training-jobs')
  @WritesLargeBody(SFT_BODY)
  @Answers(TrainingJobDto, 'createSftTrainingJob', 'Train a model by examples', ...CREATION_ERRORS)
  createSft(@CurrentPrincipal() author: Principal, @WholeBody() body: ReadBody<LinesBody>): Promise<TrainingJobDto> {
    return this.creation.createFromFile(author, 'sft', body);
  }

  @Post('preference-training-jobs')
  @WritesLargeBody(PREFERENCE_BODY)
  @Answers(
    TrainingJobDto,
    'createPreferenceTrainingJob',
    'Train a model by preferences (DPO, IPO, ORPO, KTO)',
    ...CREATION_ERRORS,
  )
  createPreference(
    @CurrentPrincipal() author: Principal,
    @WholeBody() body: ReadBody<LinesBody>,
  ): Promise<TrainingJobDto> {
    return this.creation.createFromFile(author, 'preference', body);
  }

  @Get('training-jobs')
  @Header('cache-control', 'no-store')
  @Answers(TrainingJobPageDto, 'listTrainingJobs', 'List training jobs', AccessDeniedError)
  list(@CurrentPrincipal() caller: Principal, @Query() query: TrainingJobsQueryDto): Promise<TrainingJobPageDto> {
    return this.jobs.list(caller, query);
  }

  @Get('training-jobs/:training_job_id')
  @Header('cache-control', 'no-store')
  @Answers(TrainingJobDto, 'getTrainingJob', 'Read a training job', AccessDeniedError, JobNotFoundError)
  get(@CurrentPrincipal() caller: Principal, @Param('training_job_id', IdPipe) jobId: string): Promise<TrainingJobDto> {
    return this.jobs.get(caller, jobId);
  }

  @Post('training-jobs/:training_job_id/cancel')
  @IdempotentByKey('path')
  @Answers(
    TrainingJobDto,
    'cancelTrainingJob',
    'Cancel a training job',
    AccessDeniedError,
    JobNotFoundError,
    JobAlreadyFinishedError,
  )
  cancel(
    @CurrentPrincipal() caller: Principal,
    @Param('training_job_id', IdPipe) jobId: string,
  ): Promise<TrainingJobDto> {
    return this.jobs.cancel(caller, jobId);
  }
}
