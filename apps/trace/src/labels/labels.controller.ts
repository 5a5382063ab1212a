import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  AliasesRemoveDto,
  AliasesResultDto,
  AliasesSetDto,
  EmptyResultDto,
  ObjectAliasesResultDto,
  ProjectQueryDto,
  TagsDto,
  TagsResultDto,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature } from '@hone/platform';
import { Body, Controller, Get, Param, Post, Put, Query, UseGuards } from '@nestjs/common';

import { AliasProtectedError, ObjectDeletedError, ObjectNotFoundError } from '../objects/object.errors.js';
import { LabelService } from './label.service.js';

@ApiBasicAuth('basic')
@Feature('objects', 'Versioned JSON values.')
@Controller()
@UseGuards(BasicAuthGuard)
export class LabelsController {
  constructor(private readonly labels: LabelService) {}

  @Put('objs/:object_id/versions/:digest/tags')
  @Answers(
    EmptyResultDto,
    'addTags',
    'Add tags to a version',
    AccessDeniedError,
    ProjectNotFoundError,
    ObjectNotFoundError,
    ObjectDeletedError,
  )
  async addTags(
    @CurrentPrincipal() caller: Principal,
    @Param('object_id') objectId: string,
    @Param('digest') selector: string,
    @Body() { project_id: projectId, tags }: TagsDto,
  ): Promise<EmptyResultDto> {
    await this.labels.addTags(caller, { projectId, objectId, selector }, tags);
    return {};
  }

  @Post('objs/:object_id/versions/:digest/tags/remove')
  @Answers(
    EmptyResultDto,
    'removeTags',
    'Take tags from a version',
    AccessDeniedError,
    ProjectNotFoundError,
    ObjectNotFoundError,
    ObjectDeletedError,
  )
  async removeTags(
    @CurrentPrincipal() caller: Principal,
    @Param('object_id') objectId: string,
    @Param('digest') selector: string,
    @Body() { project_id: projectId, tags }: TagsDto,
  ): Promise<EmptyResultDto> {
    await this.labels.removeTags(caller, { projectId, objectId, selector }, tags);
    return {};
  }

  @Put('objs/:object_id/aliases')
  @Answers(
    EmptyResultDto,
    'setAliases',
    'Make aliases name a version',
    AccessDeniedError,
    ProjectNotFoundError,
    ObjectNotFoundError,
    ObjectDeletedError,
    AliasProtectedError,
  )
  async setAliases(
    @CurrentPrincipal() caller: Principal,
    @Param('object_id') objectId: string,
    @Body() { project_id: projectId, digest: selector, aliases, weights, protected: isProtected }: AliasesSetDto,
  ): Promise<EmptyResultDto> {
    const change = { weights: weights ?? null, isProtected: isProtected ?? undefined };
    await this.labels.setAliases(caller, { projectId, objectId, selector }, aliases, change);
    return {};
  }

  @Get('objs/:object_id/aliases')
  @Answers(
    ObjectAliasesResultDto,
    'listObjectAliases',
    'List the aliases of an object',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  async objectAliases(
    @CurrentPrincipal() caller: Principal,
    @Param('object_id') objectId: string,
    @Query() { project_id }: ProjectQueryDto,
  ): Promise<ObjectAliasesResultDto> {
    return { aliases: await this.labels.listOfObject(caller, project_id, objectId) };
  }

  @Post('objs/:object_id/aliases/remove')
  @Answers(
    EmptyResultDto,
    'removeAliases',
    'Remove aliases of an object',
    AccessDeniedError,
    ProjectNotFoundError,
    ObjectNotFoundError,
    AliasProtectedError,
  )
  async removeAliases(
    @CurrentPrincipal() caller: Principal,
    @Param('object_id') objectId: string,
    @Body() { project_id, aliases }: AliasesRemoveDto,
  ): Promise<EmptyResultDto> {
    await this.labels.removeAliases(caller, project_id, objectId, aliases);
    return {};
  }

  @Get('tags')
  @Answers(TagsResultDto, 'listTags', 'List the tags of a project', AccessDeniedError)
  async tags(@CurrentPrincipal() caller: Principal, @Query() { project_id }: ProjectQueryDto): Promise<TagsResultDto> {
    return { tags: await this.labels.list(caller, project_id, 'tag') };
  }

  @Get('aliases')
  @Answers(AliasesResultDto, 'listAliases', 'List the aliases of a project', AccessDeniedError)
  async aliases(
    @CurrentPrincipal() caller: Principal,
    @Query() { project_id }: ProjectQueryDto,
  ): Promise<AliasesResultDto> {
    return { aliases: await this.labels.list(caller, project_id, 'alias') };
  }
}
