import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  CallLoggingDto,
  CallLoggingUpdateDto,
  OfProjectDto,
  ProjectStatsDto,
  RetentionDto,
  RetentionUpdateDto,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature, QueryTimeoutError } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { ProjectSettingsService } from './project-settings.service.js';

@ApiBasicAuth('basic')
@Feature('project settings', 'What a project stores, and for how long.')
@Controller('project')
@UseGuards(BasicAuthGuard)
export class ProjectsController {
  constructor(private readonly projects: ProjectSettingsService) {}

  @Post('stats')
  @Answers(
    ProjectStatsDto,
    'readProjectStats',
    'Count what a project stores',
    AccessDeniedError,
    ProjectNotFoundError,
    QueryTimeoutError,
  )
  stats(@CurrentPrincipal() caller: Principal, @Body() body: OfProjectDto): Promise<ProjectStatsDto> {
    return this.projects.stats(caller, body.project_id);
  }

  @Post('call_logging/read')
  @Answers(
    CallLoggingDto,
    'readCallLogging',
    'Read how much of chats is kept as calls',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  readCallLogging(@CurrentPrincipal() caller: Principal, @Body() body: OfProjectDto): Promise<CallLoggingDto> {
    return this.projects.readCallLogging(caller, body.project_id);
  }

  @Post('call_logging/update')
  @Answers(
    CallLoggingDto,
    'updateCallLogging',
    'Set how much of chats is kept as calls',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  updateCallLogging(
    @CurrentPrincipal() caller: Principal,
    @Body() body: CallLoggingUpdateDto,
  ): Promise<CallLoggingDto> {
    return this.projects.updateCallLogging(caller, body);
  }

  @Post('ttl_settings/read')
  @Answers(RetentionDto, 'readRetention', 'Read how long calls are kept', AccessDeniedError, ProjectNotFoundError)
  readRetention(@CurrentPrincipal() caller: Principal, @Body() body: OfProjectDto): Promise<RetentionDto> {
    return this.projects.readRetention(caller, body.project_id);
  }

  @Post('ttl_settings/update')
  @Answers(
    RetentionDto,
    'updateRetention',
    'Set how long calls are kept',
    AccessDeniedError,
    ProjectNotFoundError,
    QueryTimeoutError,
  )
  updateRetention(@CurrentPrincipal() caller: Principal, @Body() body: RetentionUpdateDto): Promise<RetentionDto> {
    return this.projects.updateRetention(caller, body);
  }
}
