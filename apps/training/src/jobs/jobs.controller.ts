import { Controller, Get, Header, Param, Post, Query, UseGuards } from '@nestjs/common';
import { BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { TRAINING_JOB_KINDS, TRAINING_JOB_STATUSES, TrainingJobDto, TrainingJobPageDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, ApiQuery, IdempotentByKey } from '@hone/platform';

import { IdPipe } from '../http/id.pipe.js';
import { WritesLargeBody } from '../http/large-bodies/large-body.decorator.js';
import { type LargeBody, ReadBody } from '../http/large-bodies/large-body.interceptor.js';
import { PageParameters } from '../http/page-parameters.decorator.js';
import type { Query as QueryString } from '../http/query-values.js';
import { JobsCreateService } from './jobs-create.service.js';
import { JobsService } from './jobs.service.js';
import { type RlBody, TASK as RL_BODY } from './rl-body.js';
import { type SftBody, TASK as SFT_BODY } from './sft-body.js';

@ApiBearerAuth('bearer')
@Controller('v1/preview')
@UseGuards(BearerAuthGuard)
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly creation: JobsCreateService,
  ) {}

  @Post('training-jobs')
  @WritesLargeBody(RL_BODY)
  @Answers(TrainingJobDto, 'Train a model by reinforcement learning', 403, 404, 409, 413, 422, 429)
  createRl(@CurrentPrincipal() author: Principal, @ReadBody() body: LargeBody<RlBody>): Promise<TrainingJobDto> {
    return this.creation.createRl(author, body);
  }

  @Post('sft-training-jobs')
  @WritesLargeBody(SFT_BODY)
  @Answers(TrainingJobDto, 'Train a model by examples', 403, 404, 409, 413, 422, 429)
  createSft(@CurrentPrincipal() author: Principal, @ReadBody() body: LargeBody<SftBody>): Promise<TrainingJobDto> {
    return this.creation.createSft(author, body);
  }

  @Get('training-jobs')
  @Header('cache-control', 'no-store')
  @PageParameters('desc')
  @ApiQuery({ name: 'entity', required: false, type: String })
  @ApiQuery({ name: 'project', required: false, type: String })
  @ApiQuery({ name: 'model_id', required: false, schema: { type: 'string', format: 'uuid' } })
  @ApiQuery({ name: 'kind', required: false, enum: TRAINING_JOB_KINDS })
  @ApiQuery({ name: 'status', required: false, enum: TRAINING_JOB_STATUSES })
  @Answers(TrainingJobPageDto, 'List training jobs', 403, 422)
  list(@CurrentPrincipal() caller: Principal, @Query() query: QueryString): Promise<TrainingJobPageDto> {
    return this.jobs.list(caller, query);
  }

  @Get('training-jobs/:training_job_id')
  @Header('cache-control', 'no-store')
  @Answers(TrainingJobDto, 'Read a training job', 403, 404, 422)
  get(@CurrentPrincipal() caller: Principal, @Param('training_job_id', IdPipe) jobId: string): Promise<TrainingJobDto> {
    return this.jobs.get(caller, jobId);
  }

  @Post('training-jobs/:training_job_id/cancel')
  @IdempotentByKey('path')
  @Answers(TrainingJobDto, 'Cancel a training job', 403, 404, 409, 422)
  cancel(
    @CurrentPrincipal() caller: Principal,
    @Param('training_job_id', IdPipe) jobId: string,
  ): Promise<TrainingJobDto> {
    return this.jobs.cancel(caller, jobId);
  }
}
