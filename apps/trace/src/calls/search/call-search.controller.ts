import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { CallSearchDto, CallSearchUpdateDto, OfProjectDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { CallSearchService } from './call-search.service.js';

@ApiBasicAuth('basic')
@Feature('project settings', 'What a project stores, and for how long.')
@Controller('project/search')
@UseGuards(BasicAuthGuard)
export class CallSearchController {
  constructor(private readonly search: CallSearchService) {}

  @Post('read')
  @Answers(
    CallSearchDto,
    'readCallSearch',
    'Read whether the words of calls are searchable',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  read(@CurrentPrincipal() caller: Principal, @Body() body: OfProjectDto): Promise<CallSearchDto> {
    return this.search.read(caller, body.project_id);
  }

  @Post('update')
  @Answers(
    CallSearchDto,
    'updateCallSearch',
    'Set whether the words of calls are searchable',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  update(@CurrentPrincipal() caller: Principal, @Body() body: CallSearchUpdateDto): Promise<CallSearchDto> {
    return this.search.update(caller, body);
  }
}
