import type { Readable } from 'node:stream';

import { AccessDeniedError, BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { TrainingJobEventPageDto, TrainingJobEventsQueryDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, ApiHeader, ApiProduces, Feature, IdPipe } from '@hone/platform';
import { Controller, Get, Param, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { JobNotFoundError } from '../jobs/jobs.errors.js';
import { TooManyStreamsError } from './events.errors.js';
import { EventsService } from './events.service.js';

@ApiBearerAuth('bearer')
@Feature('training jobs', 'Training by reinforcement and by examples.')
@Controller('v1/preview/training-jobs/:training_job_id/events')
@UseGuards(BearerAuthGuard)
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @ApiProduces('application/json', 'text/event-stream')
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'With text/event-stream; wins over `after`.' })
  @Answers(
    TrainingJobEventPageDto,
    'listTrainingJobEvents',
    'List the events of a training job, as a page or as text/event-stream',
    AccessDeniedError,
    JobNotFoundError,
    TooManyStreamsError,
  )
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('training_job_id', IdPipe) jobId: string,
    @Query() query: TrainingJobEventsQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TrainingJobEventPageDto | Readable> {
    return this.events.answer(caller, jobId, query, request, reply);
  }
}
