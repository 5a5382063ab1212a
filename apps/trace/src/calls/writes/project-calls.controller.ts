import { Body, Controller, Param, Post, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import {
  CallsCompleteDto,
  CallStartResultDto,
  EmptyResultDto,
  ProjectCallEndRequestDto,
  ProjectCallStartRequestDto,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, EntityPipe, Feature, NamePipe } from '@hone/platform';

import { CallWriteService } from './call-write.service.js';
import { assertProjectOfPath } from './project-of-path.js';

@ApiBasicAuth('basic')
@Feature('calls', 'Traced executions.')
@Controller('v2/:entity/:project')
@UseGuards(BasicAuthGuard)
export class ProjectCallsController {
  constructor(private readonly calls: CallWriteService) {}

  @Post('call/start')
  @Answers(CallStartResultDto, 'startProjectCall', 'Store the start of a call of the project', AccessDeniedError)
  start(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Body() { start }: ProjectCallStartRequestDto,
  ): Promise<CallStartResultDto> {
    assertProjectOfPath(`${entity}/${project}`, [start], () => ['body', 'start']);
    return this.calls.start(author, `${entity}/${project}`, start);
  }

  @Post('call/end')
  @Answers(EmptyResultDto, 'endProjectCall', 'Store the end of a call of the project', AccessDeniedError)
  end(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Body() { end }: ProjectCallEndRequestDto,
  ): Promise<EmptyResultDto> {
    assertProjectOfPath(`${entity}/${project}`, [end], () => ['body', 'end']);
    return this.calls.end(author, `${entity}/${project}`, end);
  }

  @Post('calls/complete')
  @Answers(EmptyResultDto, 'completeProjectCalls', 'Store whole calls of the project, all or none', AccessDeniedError)
  complete(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Body() body: CallsCompleteDto,
  ): Promise<EmptyResultDto> {
    assertProjectOfPath(`${entity}/${project}`, body.batch, (index) => ['body', 'batch', index]);
    return this.calls.complete(author, `${entity}/${project}`, body);
  }
}
