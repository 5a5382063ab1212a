import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { ModelCreateDto, ModelCreateResultDto, ModelVersionDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, IdempotentByKey } from '@hone/platform';

import { ModelService } from './model.service.js';
import type { ModelVersion } from './model.mapper.js';

@ApiBasicAuth('basic')
@Controller('v2/:entity/:project/models')
@UseGuards(BasicAuthGuard)
export class ModelsController {
  constructor(private readonly models: ModelService) {}

  @Post()
  @IdempotentByKey()
  @Answers(ModelCreateResultDto, 'Store a version of a model', 403, 409, 413, 422)
  create(
    @CurrentPrincipal() author: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Body() body: ModelCreateDto,
  ): Promise<ModelCreateResultDto> {
    return this.models.create(author, `${entity}/${project}`, body);
  }

  @Get(':object_id/versions/:digest')
  @Answers(ModelVersionDto, 'Read one version of a model', 403, 404)
  getVersion(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('object_id') objectId: string,
    @Param('digest') selector: string,
  ): Promise<ModelVersion> {
    return this.models.getVersion(caller, `${entity}/${project}`, objectId, selector);
  }
}
