import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { AliasSplitDto, AliasSplitPutDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, Feature, IdPipe } from '@hone/platform';
import { Body, Controller, Delete, Get, Param, Put, UseGuards } from '@nestjs/common';

import { ModelNotFoundError } from '../models/model.errors.js';
import { AliasPipe } from './alias.pipe.js';
import { SplitChangedError, SplitModelNotFoundError, SplitNotFoundError } from './alias-split.errors.js';
import { AliasSplitsService } from './alias-splits.service.js';
import { CheckpointAliasNotFoundError } from './checkpoint.errors.js';

@ApiBearerAuth('bearer')
@Feature('checkpoints', 'Weights of trainable models.')
@Controller('v1/preview/models/:model_id/aliases/:alias/split')
@UseGuards(BearerAuthGuard)
export class AliasSplitsController {
  constructor(private readonly splits: AliasSplitsService) {}

  @Get()
  @Answers(
    AliasSplitDto,
    'getAliasSplit',
    'Read which models answer the requests that name an alias',
    AccessDeniedError,
    ModelNotFoundError,
    SplitNotFoundError,
  )
  get(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Param('alias', AliasPipe) alias: string,
  ): Promise<AliasSplitDto> {
    return this.splits.get(caller, modelId, alias);
  }

  @Put()
  @Answers(
    AliasSplitDto,
    'putAliasSplit',
    'Let other models answer a share of the requests that name an alias, or answer them a second time',
    AccessDeniedError,
    ModelNotFoundError,
    CheckpointAliasNotFoundError,
    SplitModelNotFoundError,
    SplitChangedError,
  )
  put(
    @CurrentPrincipal() author: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Param('alias', AliasPipe) alias: string,
    @Body() body: AliasSplitPutDto,
  ): Promise<AliasSplitDto> {
    return this.splits.put(author, modelId, alias, body);
  }

  @Delete()
  @Answers(
    AliasSplitDto,
    'deleteAliasSplit',
    'End a split: the checkpoint of the alias answers all requests',
    AccessDeniedError,
    ModelNotFoundError,
    SplitNotFoundError,
  )
  delete(
    @CurrentPrincipal() author: Principal,
    @Param('model_id', IdPipe) modelId: string,
    @Param('alias', AliasPipe) alias: string,
  ): Promise<AliasSplitDto> {
    return this.splits.delete(author, modelId, alias);
  }
}
