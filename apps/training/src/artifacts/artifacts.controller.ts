import type { Readable } from 'node:stream';

import { Controller, Delete, Get, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import { BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { ArtifactDeletedDto, ArtifactPageDto, ArtifactUploadedDto, type RawJson } from '@hone/contracts';
import { Answers, AnswersFile, ApiBearerAuth, ApiQuery, TakesStreamedBody } from '@hone/platform';
import type { FastifyReply } from 'fastify';

import { sendFile } from '../http/file-download.js';
import { PageParameters } from '../http/page-parameters.decorator.js';
import type { Query as QueryString } from '../http/query-values.js';
import { EntityPipe, NamePipe } from './artifact-names.js';
import { ArtifactsService } from './artifacts.service.js';
import { UploadBody } from './upload-body.decorator.js';
import { UploadService } from './upload.service.js';

@ApiBearerAuth('bearer')
@Controller('v1/preview/artifacts')
@UseGuards(BearerAuthGuard)
export class ArtifactsController {
  constructor(
    private readonly artifacts: ArtifactsService,
    private readonly uploads: UploadService,
  ) {}

  @Post(':entity/:project/:name')
  @TakesStreamedBody()
  @UploadBody()
  @Answers(ArtifactUploadedDto, 'Upload the next version of an artifact', 400, 403, 404, 409, 413, 415, 422, 503)
  upload(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Param('name', NamePipe) name: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ArtifactUploadedDto | RawJson> {
    return this.uploads.upload(author, { entity, project, name }, reply);
  }

  @Get()
  @PageParameters()
  @ApiQuery({ name: 'entity', required: false, schema: { type: 'string' } })
  @ApiQuery({ name: 'project', required: false, schema: { type: 'string' } })
  @ApiQuery({ name: 'name', required: false, schema: { type: 'string' } })
  @Answers(ArtifactPageDto, 'Versions of artifacts of the projects that the caller may read', 403, 422)
  list(@CurrentPrincipal() caller: Principal, @Query() query: QueryString): Promise<ArtifactPageDto> {
    return this.artifacts.list(caller, query);
  }

  @Get(':entity/:project/:name/:version/files/:path')
  @AnswersFile('A file of a version of an artifact', 403, 404, 422)
  async getFile(
    @CurrentPrincipal() caller: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Param('name', NamePipe) name: string,
    @Param('version') version: string,
    @Param('path') path: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | undefined> {
    return sendFile(reply, await this.artifacts.getFile(caller, { entity, project, name, version }, path));
  }

  @Delete(':entity/:project/:name/:version')
  @Answers(ArtifactDeletedDto, 'Delete a version of an artifact', 403, 404, 409, 422)
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Param('name', NamePipe) name: string,
    @Param('version') version: string,
  ): Promise<ArtifactDeletedDto> {
    return this.artifacts.delete(caller, { entity, project, name, version });
  }
}
