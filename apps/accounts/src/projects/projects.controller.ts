import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { ProjectCreateDto, ProjectDto, ProjectListDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, IdempotentByKey } from '@hone/platform';

import { ProjectsService } from './projects.service.js';

@Controller('account/projects')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Post()
  @IdempotentByKey()
  @Answers(ProjectDto, 'Makes a project. Writers of the entity only.', 403, 404, 409, 422)
  create(@CurrentPrincipal() caller: Principal, @Body() body: ProjectCreateDto): Promise<ProjectDto> {
    return this.projects.create(caller, body);
  }

  @Get()
  @Answers(ProjectListDto, "Projects of the caller's entities; an admin gets all.", 403)
  list(@CurrentPrincipal() caller: Principal): Promise<ProjectListDto> {
    return this.projects.list(caller);
  }
}
