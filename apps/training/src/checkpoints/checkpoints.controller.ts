import type { Readable } from 'node:stream';

import { StorageUnavailableError, StoredFileCorruptError, StoredFileMissingError } from '@hone/artifacts';
import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import {
  CheckpointDetailDto,
  CheckpointPageDto,
  CheckpointsDeletedDto,
  CheckpointsDeleteDto,
  CheckpointsQueryDto,
} from '@hone/contracts';
import { Answers, AnswersFile, ApiBearerAuth, Feature, IdPipe } from '@hone/platform';
import { Body, Controller, Delete, Get, Param, Query, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { sendFile } from '../http/file-download.js';
import { ModelNotFoundError } from '../models/model.errors.js';
import { CheckpointInSplitError } from './alias-split.errors.js';
import { CheckpointAliasedError, CheckpointFileNotFoundError, CheckpointNotFoundError } from './checkpoint.errors.js';
import { CheckpointFilesService } from './checkpoint-files.service.js';
import { CheckpointsService } from './checkpoints.service.js';

@ApiBearerAuth('bearer')
@Feature('checkpoints', 'Weights of trainable models.')
@Controller('v1/preview/models/:model_id/checkpoints')
@UseGuards(BearerAuthGuard)
export class CheckpointsController {
  constructor(
    private readonly checkpoints: CheckpointsService,
    private readonly files: CheckpointFilesService,
  ) {}

  @Get()
  @Answers(
    CheckpointPageDto,
    'listCheckpoints',
    'List the checkpoints of a model by step',
    AccessDeniedError,
    ModelNotFoundError,
  )
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Query() query: CheckpointsQueryDto,
  ): Promise<CheckpointPageDto> {
    return this.checkpoints.list(caller, modelId, query);
  }

  @Delete()
  @Answers(
    CheckpointsDeletedDto,
    'deleteCheckpoints',
    'Delete checkpoints by their steps',
    AccessDeniedError,
    ModelNotFoundError,
    CheckpointAliasedError,
    CheckpointInSplitError,
  )
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Body() body: CheckpointsDeleteDto,
  ): Promise<CheckpointsDeletedDto> {
    return this.checkpoints.delete(caller, modelId, body.steps);
  }

  @Get(':step')
  @Answers(
    CheckpointDetailDto,
    'getCheckpoint',
    'Read a checkpoint with its files',
    AccessDeniedError,
    ModelNotFoundError,
    CheckpointNotFoundError,
  )
  get(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Param('step') step: string,
  ): Promise<CheckpointDetailDto> {
    return this.files.get(caller, modelId, step);
  }

  @Get(':step/files/:path')
  @AnswersFile(
    'getCheckpointFile',
    'Download a file of a checkpoint',
    AccessDeniedError,
    ModelNotFoundError,
    CheckpointNotFoundError,
    CheckpointFileNotFoundError,
    StoredFileMissingError,
    StoredFileCorruptError,
    StorageUnavailableError,
  )
  async getFile(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Param('step') step: string,
    @Param('path') path: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | undefined> {
    return sendFile(reply, await this.files.getFile(caller, modelId, step, path));
  }
}
