import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { CheckpointAliasDto, CheckpointAliasListDto, CheckpointAliasPutDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, Feature, IdPipe } from '@hone/platform';
import { Body, Controller, Delete, Get, Param, Put, UseGuards } from '@nestjs/common';

import { ModelNotFoundError } from '../models/model.errors.js';
import { AliasPipe } from './alias.pipe.js';
import {
  CheckpointAliasMovedError,
  CheckpointAliasNotFoundError,
  CheckpointNotFoundError,
  TooManyAliasesError,
} from './checkpoint.errors.js';
import { CheckpointAliasesService } from './checkpoint-aliases.service.js';

@ApiBearerAuth('bearer')
@Feature('checkpoints', 'Weights of trainable models.')
@Controller('v1/preview/models/:model_id/aliases')
@UseGuards(BearerAuthGuard)
export class CheckpointAliasesController {
  constructor(private readonly aliases: CheckpointAliasesService) {}

  @Get()
  @Answers(
    CheckpointAliasListDto,
    'listCheckpointAliases',
    'List the aliases of a model',
    AccessDeniedError,
    ModelNotFoundError,
  )
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) modelId: string,
  ): Promise<CheckpointAliasListDto> {
    return this.aliases.list(caller, modelId);
  }

  @Put(':alias')
  @Answers(
    CheckpointAliasDto,
    'putCheckpointAlias',
    'Let an alias name a checkpoint',
    AccessDeniedError,
    ModelNotFoundError,
    CheckpointNotFoundError,
    CheckpointAliasMovedError,
    TooManyAliasesError,
  )
  put(
    @CurrentPrincipal() author: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Param('alias', AliasPipe) alias: string,
    @Body() body: CheckpointAliasPutDto,
  ): Promise<CheckpointAliasDto> {
    return this.aliases.put(author, modelId, alias, body);
  }

  @Delete(':alias')
  @Answers(
    CheckpointAliasDto,
    'deleteCheckpointAlias',
    'Delete an alias; the checkpoint stays',
    AccessDeniedError,
    ModelNotFoundError,
    CheckpointAliasNotFoundError,
  )
  delete(
    @CurrentPrincipal() author: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Param('alias', AliasPipe) alias: string,
  ): Promise<CheckpointAliasDto> {
    return this.aliases.delete(author, modelId, alias);
  }
}
