import {
  StorageFullError,
  StorageUnavailableError,
  StoredFileCorruptError,
  StoredFileMissingError,
} from '@hone/artifacts';
import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { LoggedTrajectoryPageDto, TrajectoriesQueryDto, TrajectoryLoggedDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, Feature, IdPipe, type ReadBody, WholeBody } from '@hone/platform';
import { Controller, Get, Param, Post, Query, UseGuards } from '@nestjs/common';

import { WritesLargeBody } from '../http/large-bodies/large-body.decorator.js';
import { ModelNotFoundError } from '../models/model.errors.js';
import { LogService } from './log.service.js';
import type { LogContent } from './log-content.js';
import { TASK } from './log-format.task.js';
import { TrajectoriesService } from './trajectories.service.js';

@ApiBearerAuth('bearer')
@Feature('trajectories', 'Rollouts with their rewards.')
@Controller('v1/preview/models/:model_id')
@UseGuards(BearerAuthGuard)
export class LogController {
  constructor(
    private readonly logs: LogService,
    private readonly trajectories: TrajectoriesService,
  ) {}

  @Post('log')
  @WritesLargeBody(TASK)
  @Answers(
    TrajectoryLoggedDto,
    'logTrajectories',
    'Log trajectory groups for a split',
    AccessDeniedError,
    ModelNotFoundError,
    StorageUnavailableError,
    StorageFullError,
  )
  log(
    @CurrentPrincipal() author: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @WholeBody() body: ReadBody<LogContent>,
  ): Promise<TrajectoryLoggedDto> {
    return this.logs.log(author, modelId, body);
  }

  @Get('trajectories')
  @Answers(
    LoggedTrajectoryPageDto,
    'listTrajectories',
    'List the logged trajectories of a model',
    AccessDeniedError,
    ModelNotFoundError,
    StoredFileMissingError,
    StoredFileCorruptError,
  )
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Query() query: TrajectoriesQueryDto,
  ): Promise<LoggedTrajectoryPageDto> {
    return this.trajectories.list(caller, modelId, query);
  }
}
