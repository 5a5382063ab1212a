import {
  AccessDeniedError,
  ApiKeyNotFoundError,
  BearerAuthGuard,
  CurrentPrincipal,
  type Principal,
  ProjectNotFoundError,
} from '@hone/auth';
import { UsageLimitsDto, UsageLimitsPutDto, UsageLimitsQueryDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, Feature } from '@hone/platform';
import { Body, Controller, Get, Put, Query, UseGuards } from '@nestjs/common';

import { LimitsService } from './limits.service.js';

@Feature('usage', 'What projects and keys use, and may use.')
@Controller('v1/usage/limits')
@UseGuards(BearerAuthGuard)
@ApiBearerAuth('bearer')
export class LimitsController {
  constructor(private readonly limits: LimitsService) {}

  @Get()
  @Answers(
    UsageLimitsDto,
    'getUsageLimits',
    'Read the limits of a project or a key, and what was spent this month and today',
    AccessDeniedError,
    ProjectNotFoundError,
    ApiKeyNotFoundError,
  )
  read(@CurrentPrincipal() caller: Principal, @Query() query: UsageLimitsQueryDto): Promise<UsageLimitsDto> {
    return this.limits.read(caller, query);
  }

  @Put()
  @Answers(
    UsageLimitsDto,
    'putUsageLimits',
    'Set all limits of a project or a key; admins only',
    AccessDeniedError,
    ApiKeyNotFoundError,
  )
  put(
    @CurrentPrincipal() caller: Principal,
    @Query() query: UsageLimitsQueryDto,
    @Body() body: UsageLimitsPutDto,
  ): Promise<UsageLimitsDto> {
    return this.limits.put(caller, query, body);
  }
}
