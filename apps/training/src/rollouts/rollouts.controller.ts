import { StoredFileCorruptError, StoredFileMissingError } from '@hone/artifacts';
import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { RolloutDetailDto, RolloutListDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, Feature, IdPipe } from '@hone/platform';
import { Controller, Get, Param, UseGuards } from '@nestjs/common';

import { JobNotFoundError } from '../jobs/jobs.errors.js';
import { RolloutNotFoundError, RolloutsNotKeptError } from './rollouts.errors.js';
import { RolloutsService } from './rollouts.service.js';

@ApiBearerAuth('bearer')
@Feature('training jobs', 'Training by reinforcement and by examples.')
@Controller('v1/preview/training-jobs/:training_job_id/rollouts')
@UseGuards(BearerAuthGuard)
export class RolloutsController {
  constructor(private readonly rollouts: RolloutsService) {}

  @Get()
  @Answers(
    RolloutListDto,
    'listRollouts',
    'List the rollouts that a job learned from, without what was said',
    AccessDeniedError,
    JobNotFoundError,
    RolloutsNotKeptError,
    StoredFileMissingError,
    StoredFileCorruptError,
  )
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('training_job_id', IdPipe) jobId: string,
  ): Promise<RolloutListDto> {
    return this.rollouts.list(caller, jobId);
  }

  @Get(':group/:index')
  @Answers(
    RolloutDetailDto,
    'getRollout',
    'Read one rollout of a job, with its messages and tokens',
    AccessDeniedError,
    JobNotFoundError,
    RolloutsNotKeptError,
    RolloutNotFoundError,
    StoredFileMissingError,
    StoredFileCorruptError,
  )
  get(
    @CurrentPrincipal() caller: Principal,
    @Param('training_job_id', IdPipe) jobId: string,
    @Param('group') group: string,
    @Param('index') index: string,
  ): Promise<RolloutDetailDto> {
    return this.rollouts.get(caller, jobId, group, index);
  }
}
