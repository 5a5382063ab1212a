import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { LineageDto, LineageQueryDto, TrainingDataPageDto, TrainingDataQueryDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, Feature, IdPipe } from '@hone/platform';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';

import { LineageNotFoundError } from './lineage.errors.js';
import { LineageService } from './lineage.service.js';

@ApiBearerAuth('bearer')
@Feature('training data', 'Training data that is made of judged calls.')
@Controller('v1/preview')
@UseGuards(BearerAuthGuard)
export class LineageController {
  constructor(private readonly lineage: LineageService) {}

  @Get('training-data')
  @Answers(
    TrainingDataPageDto,
    'listTrainingData',
    'List training data that was made of calls, such as all that holds one call',
    AccessDeniedError,
  )
  list(@CurrentPrincipal() caller: Principal, @Query() query: TrainingDataQueryDto): Promise<TrainingDataPageDto> {
    return this.lineage.list(caller, query);
  }

  @Get('checkpoints/:checkpoint_id/lineage')
  @Answers(
    LineageDto,
    'getCheckpointLineage',
    'Read what a checkpoint learned from: jobs, data, calls and their feedback',
    AccessDeniedError,
    LineageNotFoundError,
  )
  of(
    @CurrentPrincipal() caller: Principal,
    @Param('checkpoint_id', IdPipe) checkpointId: string,
    @Query() query: LineageQueryDto,
  ): Promise<LineageDto> {
    return this.lineage.of(caller, checkpointId, query);
  }
}
