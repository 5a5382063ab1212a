import type { Readable } from 'node:stream';

import { Body, Controller, Delete, Get, Param, Query, Res, UseGuards } from '@nestjs/common';
import { BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { CheckpointDetailDto, CheckpointPageDto, CheckpointsDeletedDto, CheckpointsDeleteDto } from '@hone/contracts';
import { Answers, AnswersFile, ApiBearerAuth } from '@hone/platform';
import type { FastifyReply } from 'fastify';

import { sendFile } from '../http/file-download.js';
import { IdPipe } from '../http/id.pipe.js';
import { PageParameters } from '../http/page-parameters.decorator.js';
import type { Query as QueryString } from '../http/query-values.js';
import { CheckpointFilesService } from './checkpoint-files.service.js';
import { CheckpointsService } from './checkpoints.service.js';

@ApiBearerAuth('bearer')
@Controller('v1/preview/models/:model_id/checkpoints')
@UseGuards(BearerAuthGuard)
export class CheckpointsController {
  constructor(
    private readonly checkpoints: CheckpointsService,
    private readonly files: CheckpointFilesService,
  ) {}

  @Get()
  @PageParameters('asc')
  @Answers(CheckpointPageDto, 'Checkpoints of a model, by step', 403, 404, 422)
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Query() query: QueryString,
  ): Promise<CheckpointPageDto> {
    return this.checkpoints.list(caller, modelId, query);
  }

  @Delete()
  @Answers(CheckpointsDeletedDto, 'Delete checkpoints by their steps', 403, 404, 413, 422)
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Body() body: CheckpointsDeleteDto,
  ): Promise<CheckpointsDeletedDto> {
    return this.checkpoints.delete(caller, modelId, body.steps);
  }

  @Get(':step')
  @Answers(CheckpointDetailDto, 'A checkpoint with its files', 403, 404, 422)
  get(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Param('step') step: string,
  ): Promise<CheckpointDetailDto> {
    return this.files.get(caller, modelId, step);
  }

  @Get(':step/files/:path')
  @AnswersFile('A file of a checkpoint', 403, 404, 422)
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
