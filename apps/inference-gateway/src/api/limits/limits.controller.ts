import { Body, Controller, Get, Put, Query, UseGuards } from '@nestjs/common';
import { BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { UsageLimitsDto, UsageLimitsPutDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, ApiQuery } from '@hone/platform';

import { LimitsService } from '../../metering/limits/limits.service.js';

const PROJECT = { name: 'project', required: false, description: '`<entity>/<project>`; default: that of the key.' };
const KEY = { name: 'key', required: false, description: 'Id of a key, in place of a project.' };

@Controller('v1/usage/limits')
@UseGuards(BearerAuthGuard)
@ApiBearerAuth('bearer')
export class LimitsController {
  constructor(private readonly limits: LimitsService) {}

  @Get()
  @ApiQuery(PROJECT)
  @ApiQuery(KEY)
  @Answers(UsageLimitsDto, 'Limits of a project or a key, and what was spent this month.', 403, 404, 422)
  read(@CurrentPrincipal() caller: Principal, @Query() query: Record<string, unknown>): Promise<UsageLimitsDto> {
    return this.limits.read(caller, query);
  }

  @Put()
  @ApiQuery(PROJECT)
  @ApiQuery(KEY)
  @Answers(UsageLimitsDto, 'Sets all limits of a project or a key. Admins only.', 403, 404, 422)
  put(
    @CurrentPrincipal() caller: Principal,
    @Query() query: Record<string, unknown>,
    @Body() body: UsageLimitsPutDto,
  ): Promise<UsageLimitsDto> {
    return this.limits.put(caller, query, body);
  }
}
