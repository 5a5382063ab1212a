import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { GatewayStateDto, GatewayStateQueryDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, Feature } from '@hone/platform';
import { Controller, Get, Query, UseGuards } from '@nestjs/common';

import { GatewayStateService } from './gateway-state.service.js';

@Feature('gateway', 'Routes and targets of the gateway, and how they are.')
@Controller('v1/gateway')
@UseGuards(BearerAuthGuard)
@ApiBearerAuth('bearer')
export class GatewayStateController {
  constructor(private readonly state: GatewayStateService) {}

  @Get()
  @Answers(
    GatewayStateDto,
    'getGatewayState',
    'Read the health, load and last failures of routes and targets, as the answering process knows them',
    AccessDeniedError,
  )
  read(@CurrentPrincipal() caller: Principal, @Query() query: GatewayStateQueryDto): GatewayStateDto {
    return this.state.read(caller, query);
  }
}
