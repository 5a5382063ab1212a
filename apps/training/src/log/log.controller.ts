import { Controller, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { LoggedTrajectoryPageDto, TrajectoryLoggedDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, ApiQuery } from '@hone/platform';

import { IdPipe } from '../http/id.pipe.js';
import { WritesLargeBody } from '../http/large-bodies/large-body.decorator.js';
import { ReadBody, type LargeBody } from '../http/large-bodies/large-body.interceptor.js';
import { PageParameters } from '../http/page-parameters.decorator.js';
import type { Query as QueryString } from '../http/query-values.js';
import type { LogContent } from './log-content.js';
import { TASK } from './log-format.js';
import { LogService } from './log.service.js';
import { TrajectoriesService } from './trajectories.service.js';

@ApiBearerAuth('bearer')
@Controller('v1/preview/models/:model_id')
@UseGuards(BearerAuthGuard)
export class LogController {
  constructor(
    private readonly logs: LogService,
    private readonly trajectories: TrajectoriesService,
  ) {}

  @Post('log')
  @WritesLargeBody(TASK)
  @Answers(TrajectoryLoggedDto, 'Log trajectory groups for a split', 400, 403, 404, 409, 413, 415, 422, 503)
  log(
    @CurrentPrincipal() author: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @ReadBody() body: LargeBody<LogContent>,
  ): Promise<TrajectoryLoggedDto> {
    return this.logs.log(author, modelId, body);
  }

  @Get('trajectories')
  @PageParameters()
  @ApiQuery({ name: 'split', required: false, schema: { type: 'string' } })
  @ApiQuery({ name: 'step', required: false, schema: { type: 'integer', minimum: 0 } })
  @Answers(LoggedTrajectoryPageDto, 'Logged trajectories of a model', 403, 404, 422)
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Query() query: QueryString,
  ): Promise<LoggedTrajectoryPageDto> {
    return this.trajectories.list(caller, modelId, query);
  }
}
