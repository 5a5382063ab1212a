import { Body, Controller, Delete, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import {
  TrainableModelCreateDto,
  TrainableModelDeletedDto,
  TrainableModelDetailDto,
  TrainableModelDto,
  TrainableModelPageDto,
} from '@hone/contracts';
import { Answers, ApiBearerAuth, ApiQuery, IdempotentByKey } from '@hone/platform';

import { IdPipe } from '../http/id.pipe.js';
import { PageParameters } from '../http/page-parameters.decorator.js';
import type { Query as QueryString } from '../http/query-values.js';
import { ModelsService } from './models.service.js';

@ApiBearerAuth('bearer')
@Controller('v1/preview/models')
@UseGuards(BearerAuthGuard)
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  @Post()
  @IdempotentByKey('path')
  @Answers(TrainableModelDto, 'Create a trainable model, or get the one of this name', 400, 403, 409, 413, 422)
  create(@CurrentPrincipal() author: Principal, @Body() body: TrainableModelCreateDto): Promise<TrainableModelDto> {
    return this.models.create(author, body);
  }

  @Get()
  @PageParameters('asc')
  @ApiQuery({ name: 'entity', required: false, schema: { type: 'string' } })
  @ApiQuery({ name: 'project', required: false, schema: { type: 'string' } })
  @ApiQuery({ name: 'name', required: false, schema: { type: 'string' } })
  @Answers(TrainableModelPageDto, 'Trainable models of the projects that the caller may read', 403, 422)
  list(@CurrentPrincipal() caller: Principal, @Query() query: QueryString): Promise<TrainableModelPageDto> {
    return this.models.list(caller, query);
  }

  @Get(':model_id')
  @Answers(TrainableModelDetailDto, 'A trainable model and what became of it', 403, 404, 422)
  get(@CurrentPrincipal() caller: Principal, @Param('model_id', IdPipe) id: string): Promise<TrainableModelDetailDto> {
    return this.models.get(caller, id);
  }

  @Delete(':model_id')
  @Answers(TrainableModelDeletedDto, 'Delete a model with all that belongs to it', 403, 404, 422)
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('model_id', IdPipe) id: string,
  ): Promise<TrainableModelDeletedDto> {
    return this.models.delete(caller, id);
  }
}
