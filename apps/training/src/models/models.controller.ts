import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import {
  TrainableModelCreateDto,
  TrainableModelDeletedDto,
  TrainableModelDetailDto,
  TrainableModelDto,
  TrainableModelPageDto,
  TrainableModelsQueryDto,
} from '@hone/contracts';
import { Answers, ApiBearerAuth, Feature, IdempotentByKey, IdPipe } from '@hone/platform';
import { Body, Controller, Delete, Get, Param, Post, Query, UseGuards } from '@nestjs/common';

import { ModelNameTakenError, ModelNotFoundError } from './model.errors.js';
import { ModelsService } from './models.service.js';

@ApiBearerAuth('bearer')
@Feature('trainable models', 'Models that learn.')
@Controller('v1/preview/models')
@UseGuards(BearerAuthGuard)
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  @Post()
  @IdempotentByKey('path')
  @Answers(
    TrainableModelDto,
    'createTrainableModel',
    'Create a trainable model, or get the one of this name',
    AccessDeniedError,
    ModelNameTakenError,
  )
  create(@CurrentPrincipal() author: Principal, @Body() body: TrainableModelCreateDto): Promise<TrainableModelDto> {
    return this.models.create(author, body);
  }

  @Get()
  @Answers(
    TrainableModelPageDto,
    'listTrainableModels',
    'List trainable models of the projects that the caller may read',
    AccessDeniedError,
  )
  list(@CurrentPrincipal() caller: Principal, @Query() query: TrainableModelsQueryDto): Promise<TrainableModelPageDto> {
    return this.models.list(caller, query);
  }

  @Get(':model_id')
  @Answers(
    TrainableModelDetailDto,
    'getTrainableModel',
    'Read a trainable model and what became of it',
    AccessDeniedError,
    ModelNotFoundError,
  )
  get(@CurrentPrincipal() caller: Principal, @Param('model_id', IdPipe) id: string): Promise<TrainableModelDetailDto> {
    return this.models.get(caller, id);
  }

  @Delete(':model_id')
  @Answers(
    TrainableModelDeletedDto,
    'deleteTrainableModel',
    'Delete a trainable model with all that belongs to it',
    AccessDeniedError,
    ModelNotFoundError,
  )
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) id: string,
  ): Promise<TrainableModelDeletedDto> {
    return this.models.delete(caller, id);
  }
}
