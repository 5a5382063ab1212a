import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { CallUsesDto, ProjectQueryDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature } from '@hone/platform';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';

import { CallUsesService } from './call-uses.service.js';

@ApiBasicAuth('basic')
@Feature('calls', 'Traced executions.')
@Controller('calls/:call_id')
@UseGuards(BasicAuthGuard)
export class CallUsesController {
  constructor(private readonly uses: CallUsesService) {}

  @Get('used-in')
  @Answers(
    CallUsesDto,
    'listCallUses',
    'List the training data that holds a call, and the jobs that read it',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('call_id') callId: string,
    @Query() { project_id }: ProjectQueryDto,
  ): Promise<CallUsesDto> {
    return this.uses.list(caller, project_id, callId);
  }
}
