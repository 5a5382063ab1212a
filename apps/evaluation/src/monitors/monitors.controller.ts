import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  EmptyResultDto,
  MonitorCreateDto,
  MonitorDto,
  MonitorListDto,
  MonitorsQueryDto,
  MonitorUpdateDto,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature, IdempotentByKey, IdPipe } from '@hone/platform';
import { Body, Controller, Delete, Get, Header, Param, Post, Put, Query, UseGuards } from '@nestjs/common';

import { ScorerNotDefinedError, ScorerNotFoundError } from '../scorers/scorers.errors.js';
import { MonitorNameTakenError, MonitorNotFoundError, TooManyMonitorsError } from './monitors.errors.js';
import { MonitorsService } from './monitors.service.js';

@Feature('monitors', 'Scorers that judge new calls as they come.')
@Controller('evaluation/monitors')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class MonitorsController {
  constructor(private readonly monitors: MonitorsService) {}

  @Post()
  @IdempotentByKey()
  @Answers(
    MonitorDto,
    'createMonitor',
    'Judge new calls as they come',
    AccessDeniedError,
    ProjectNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
    MonitorNameTakenError,
    TooManyMonitorsError,
  )
  create(@CurrentPrincipal() author: Principal, @Body() body: MonitorCreateDto): Promise<MonitorDto> {
    return this.monitors.create(author, body);
  }

  @Get()
  @Header('cache-control', 'no-store')
  @Answers(MonitorListDto, 'listMonitors', 'List the monitors of a project', AccessDeniedError, ProjectNotFoundError)
  list(@CurrentPrincipal() caller: Principal, @Query() query: MonitorsQueryDto): Promise<MonitorListDto> {
    return this.monitors.list(caller, query.project_id);
  }

  @Get(':monitor_id')
  @Header('cache-control', 'no-store')
  @Answers(MonitorDto, 'getMonitor', 'Read a monitor', AccessDeniedError, MonitorNotFoundError)
  get(@CurrentPrincipal() caller: Principal, @Param('monitor_id', IdPipe) id: string): Promise<MonitorDto> {
    return this.monitors.get(caller, id);
  }

  @Put(':monitor_id')
  @Answers(
    MonitorDto,
    'updateMonitor',
    'Change, pause or resume a monitor',
    AccessDeniedError,
    MonitorNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
  )
  update(
    @CurrentPrincipal() caller: Principal,
    @Param('monitor_id', IdPipe) id: string,
    @Body() body: MonitorUpdateDto,
  ): Promise<MonitorDto> {
    return this.monitors.update(caller, id, body);
  }

  @Delete(':monitor_id')
  @Answers(
    EmptyResultDto,
    'deleteMonitor',
    'Delete a monitor; what it judged stays',
    AccessDeniedError,
    MonitorNotFoundError,
  )
  async delete(
    @CurrentPrincipal() caller: Principal,
    @Param('monitor_id', IdPipe) id: string,
  ): Promise<EmptyResultDto> {
    await this.monitors.delete(caller, id);
    return {};
  }
}
