import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { CallStartResultDto, EmptyResultDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, BodyContent, EntityPipe, Feature, NamePipe, ReadsBody } from '@hone/platform';
import { Controller, Param, Post, UseGuards } from '@nestjs/common';

import { CALLS_COMPLETE, PROJECT_CALL_END, PROJECT_CALL_START, type SentCall } from './call-bodies.task.js';
import { CallWriteService } from './call-write.service.js';
import { assertProjectOfPath } from './project-of-path.js';

@ApiBasicAuth('basic')
@Feature('calls', 'Traced executions.')
@Controller('v2/:entity/:project')
@UseGuards(BasicAuthGuard)
export class ProjectCallsController {
  constructor(private readonly calls: CallWriteService) {}

  @Post('call/start')
  @ReadsBody(PROJECT_CALL_START)
  @Answers(CallStartResultDto, 'startProjectCall', 'Store the start of a call of the project', AccessDeniedError)
  start(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @BodyContent() call: SentCall,
  ): Promise<CallStartResultDto> {
    assertProjectOfPath(`${entity}/${project}`, [call.projectId], () => ['body', 'start']);
    return this.calls.start(author, `${entity}/${project}`, call);
  }

  @Post('call/end')
  @ReadsBody(PROJECT_CALL_END)
  @Answers(EmptyResultDto, 'endProjectCall', 'Store the end of a call of the project', AccessDeniedError)
  end(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @BodyContent() call: SentCall,
  ): Promise<EmptyResultDto> {
    assertProjectOfPath(`${entity}/${project}`, [call.projectId], () => ['body', 'end']);
    return this.calls.end(author, `${entity}/${project}`, call);
  }

  @Post('calls/complete')
  @ReadsBody(CALLS_COMPLETE)
  @Answers(EmptyResultDto, 'completeProjectCalls', 'Store whole calls of the project, all or none', AccessDeniedError)
  complete(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @BodyContent() batch: SentCall[],
  ): Promise<EmptyResultDto> {
    const named = batch.map(({ projectId }) => projectId);
    assertProjectOfPath(`${entity}/${project}`, named, (index) => ['body', 'batch', index]);
    return this.calls.complete(author, `${entity}/${project}`, batch);
  }
}
