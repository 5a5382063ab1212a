import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { PipelineRunDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature, IdempotentByKey, IdPipe } from '@hone/platform';
import { Controller, Get, Header, Param, Post, UseGuards } from '@nestjs/common';

import { PipelineRunEndedError, PipelineRunNotFoundError } from './pipelines.errors.js';
import { PipelinesService } from './pipelines.service.js';

@Feature('pipelines', 'Loops that train, compare and promote by themselves.')
@Controller('evaluation/pipeline-runs')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class PipelineRunsController {
  constructor(private readonly pipelines: PipelinesService) {}

  @Get(':run_id')
  @Header('cache-control', 'no-store')
  @Answers(PipelineRunDto, 'getPipelineRun', 'Read a run of a pipeline', AccessDeniedError, PipelineRunNotFoundError)
  get(@CurrentPrincipal() caller: Principal, @Param('run_id', IdPipe) id: string): Promise<PipelineRunDto> {
    return this.pipelines.getRun(caller, id);
  }

  @Post(':run_id/cancel')
  @IdempotentByKey('path')
  @Answers(
    PipelineRunDto,
    'cancelPipelineRun',
    'Cancel a run, with what it works on',
    AccessDeniedError,
    PipelineRunNotFoundError,
    PipelineRunEndedError,
  )
  cancel(@CurrentPrincipal() caller: Principal, @Param('run_id', IdPipe) id: string): Promise<PipelineRunDto> {
    return this.pipelines.cancelRun(caller, id);
  }
}
