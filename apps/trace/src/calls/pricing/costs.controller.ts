import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  CostCreateDto,
  CostCreateResultDto,
  CostPurgeDto,
  CostQueryDto,
  CostQueryResultDto,
  EmptyResultDto,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature, IdempotentByKey, QueryTimeoutError } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { CostService } from './cost.service.js';

@ApiBasicAuth('basic')
@Feature('costs', 'What tokens of models cost.')
@Controller('cost')
@UseGuards(BasicAuthGuard)
export class CostsController {
  constructor(private readonly costs: CostService) {}

  @Post('create')
  @IdempotentByKey()
  @Answers(CostCreateResultDto, 'createCosts', 'Store prices of models, all or none', AccessDeniedError)
  create(@CurrentPrincipal() author: Principal, @Body() body: CostCreateDto): Promise<CostCreateResultDto> {
    return this.costs.create(author, body);
  }

  @Post('query')
  @Answers(CostQueryResultDto, 'queryCosts', 'Query prices of models', AccessDeniedError, QueryTimeoutError)
  query(@CurrentPrincipal() caller: Principal, @Body() body: CostQueryDto): Promise<CostQueryResultDto> {
    return this.costs.query(caller, body);
  }

  @Post('purge')
  @Answers(EmptyResultDto, 'purgeCosts', 'Delete prices of models', AccessDeniedError, ProjectNotFoundError)
  purge(@CurrentPrincipal() caller: Principal, @Body() body: CostPurgeDto): Promise<EmptyResultDto> {
    return this.costs.purge(caller, body);
  }
}
