import type { Readable } from 'node:stream';

import { Controller, Get, Param, Query, Req, Res, UseGuards } from '@nestjs/common';
import { BearerAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { TrainingJobEventPageDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, ApiHeader, ApiProduces, ApiQuery } from '@hone/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { IdPipe } from '../http/id.pipe.js';
import { PageParameters } from '../http/page-parameters.decorator.js';
import type { Query as QueryString } from '../http/query-values.js';
import { EventsService } from './events.service.js';

@ApiBearerAuth('bearer')
@Controller('v1/preview/training-jobs/:training_job_id/events')
@UseGuards(BearerAuthGuard)
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @ApiProduces('application/json', 'text/event-stream')
  @PageParameters()
  @ApiQuery({
    name: 'wait',
    required: false,
    schema: { type: 'integer', minimum: 0, maximum: 25, default: 0 },
    description: 'Seconds that the answer may wait for an event after the cursor.',
  })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'With text/event-stream; wins over `after`.' })
  @Answers(TrainingJobEventPageDto, 'Events of a training job, as a page or as text/event-stream', 403, 404, 422, 429)
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('training_job_id', IdPipe) jobId: string,
    @Query() query: QueryString,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TrainingJobEventPageDto | Readable> {
    return this.events.answer(caller, jobId, query, request, reply);
  }
}
