import type { Readable } from 'node:stream';

import {
  ArtifactTooLargeError,
  StorageFullError,
  StorageUnavailableError,
  StoredFileCorruptError,
  StoredFileMissingError,
} from '@hone/artifacts';
import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import {
  ArtifactDeletedDto,
  ArtifactPageDto,
  ArtifactsQueryDto,
  ArtifactUploadedDto,
  type RawJson,
} from '@hone/contracts';
import {
  Answers,
  AnswersFile,
  ApiBearerAuth,
  EncodingUnsupportedError,
  EntityPipe,
  Feature,
  IdempotencyInProgressError,
  IdempotencyKeyInvalidError,
  IdempotencyKeyReusedError,
  NamePipe,
  TakesStreamedBody,
} from '@hone/platform';
import { Controller, Delete, Get, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { sendFile } from '../http/file-download.js';
import { ModelNotFoundError } from '../models/model.errors.js';
import { ArtifactInUseError, ArtifactNotFoundError } from './artifact.errors.js';
import { ArtifactsService } from './artifacts.service.js';
import { UploadService } from './upload.service.js';
import { UploadBody } from './upload-body.decorator.js';

@ApiBearerAuth('bearer')
@Feature('artifacts', 'Files that training jobs read.')
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
  @Answers(
    ArtifactUploadedDto,
    'uploadArtifact',
    'Upload the next version of an artifact',
    AccessDeniedError,
    ModelNotFoundError,
    IdempotencyKeyInvalidError,
    IdempotencyKeyReusedError,
    IdempotencyInProgressError,
    ArtifactTooLargeError,
    EncodingUnsupportedError,
    StorageUnavailableError,
    StorageFullError,
  )
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
  @Answers(
    ArtifactPageDto,
    'listArtifacts',
    'List versions of artifacts of the projects that the caller may read',
    AccessDeniedError,
  )
  list(@CurrentPrincipal() caller: Principal, @Query() query: ArtifactsQueryDto): Promise<ArtifactPageDto> {
    return this.artifacts.list(caller, query);
  }

  @Get(':entity/:project/:name/:version/files/:path')
  @AnswersFile(
    'getArtifactFile',
    'Download a file of a version of an artifact',
    AccessDeniedError,
    ArtifactNotFoundError,
    StoredFileMissingError,
    StoredFileCorruptError,
    StorageUnavailableError,
  )
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
  @Answers(
    ArtifactDeletedDto,
    'deleteArtifactVersion',
    'Delete a version of an artifact',
    AccessDeniedError,
    ArtifactNotFoundError,
    ArtifactInUseError,
  )
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
