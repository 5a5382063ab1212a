import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { ProjectCreateDto, ProjectDto, ProjectListDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature, IdempotentByKey } from '@hone/platform';
import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';

import { EntityNotFoundError } from '../entities/entities.errors.js';
import { ProjectNameTakenError } from './projects.errors.js';
import { ProjectsService } from './projects.service.js';

@Feature('projects', 'What entities own: all data belongs to a project.')
@Controller('account/projects')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Post()
  @IdempotentByKey()
  @Answers(
    ProjectDto,
    'createProject',
    'Create a project; writers of the entity only',
    AccessDeniedError,
    EntityNotFoundError,
    ProjectNameTakenError,
  )
  create(@CurrentPrincipal() caller: Principal, @Body() body: ProjectCreateDto): Promise<ProjectDto> {
    return this.projects.create(caller, body);
  }

  @Get()
  @Answers(
    ProjectListDto,
    'listProjects',
    "List the projects of the caller's entities; an admin gets all",
    AccessDeniedError,
  )
  list(@CurrentPrincipal() caller: Principal): Promise<ProjectListDto> {
    return this.projects.list(caller);
  }
}
