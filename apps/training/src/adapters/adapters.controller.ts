import type { Readable } from 'node:stream';

import {
  StorageFullError,
  StorageUnavailableError,
  StoredFileCorruptError,
  StoredFileMissingError,
} from '@hone/artifacts';
import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { ImportedCheckpointDto, type RawJson } from '@hone/contracts';
import {
  Answers,
  AnswersArchive,
  ApiBearerAuth,
  BodyTooLargeError,
  EncodingUnsupportedError,
  Feature,
  IdempotencyInProgressError,
  IdempotencyKeyInvalidError,
  IdempotencyKeyReusedError,
  IdPipe,
  TakesStreamedBody,
} from '@hone/platform';
import { Controller, Get, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { CheckpointNotFoundError } from '../checkpoints/checkpoint.errors.js';
import { sendArchive } from '../http/file-download.js';
import { BodiesBusyError } from '../http/large-bodies/large-bodies.errors.js';
import { ModelNotFoundError } from '../models/model.errors.js';
import { AdapterTooLargeError, BaseUnavailableError, ImportFailedError, NotAnAdapterError } from './adapter.errors.js';
import { AdapterDownloadService } from './adapter-download.service.js';
import { ImportService } from './import.service.js';
import { ImportBody } from './import-body.decorator.js';

@ApiBearerAuth('bearer')
@Feature('checkpoints', 'Weights of trainable models.')
@Controller('v1/preview/models/:model_id/checkpoints')
@UseGuards(BearerAuthGuard)
export class AdaptersController {
  constructor(
    private readonly imports: ImportService,
    private readonly downloads: AdapterDownloadService,
  ) {}

  @Post('import')
  @TakesStreamedBody()
  @ImportBody()
  @Answers(
    ImportedCheckpointDto,
    'importCheckpoint',
    'Make an adapter that PEFT saved the next checkpoint of a model',
    AccessDeniedError,
    ModelNotFoundError,
    BaseUnavailableError,
    IdempotencyKeyInvalidError,
    IdempotencyKeyReusedError,
    IdempotencyInProgressError,
    BodyTooLargeError,
    AdapterTooLargeError,
    EncodingUnsupportedError,
    StorageUnavailableError,
    StorageFullError,
    BodiesBusyError,
    ImportFailedError,
  )
  import(
    @CurrentPrincipal() author: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportedCheckpointDto | RawJson> {
    return this.imports.import(author, modelId, reply);
  }

  @Get(':step/download')
  @AnswersArchive(
    'downloadCheckpoint',
    'Download a checkpoint as an adapter that PEFT loads, a tar.gz',
    AccessDeniedError,
    ModelNotFoundError,
    CheckpointNotFoundError,
    NotAnAdapterError,
    StoredFileMissingError,
    StoredFileCorruptError,
    StorageUnavailableError,
  )
  async download(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Param('step') step: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | undefined> {
    return sendArchive(reply, await this.downloads.get(caller, modelId, step));
  }
}
