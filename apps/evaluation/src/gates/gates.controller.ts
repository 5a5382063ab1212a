import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { GateCreateDto, GateDto, GatePageDto, GatesQueryDto } from '@hone/contracts';
import {
  Answers,
  ApiBasicAuth,
  ApiBearerAuth,
  Feature,
  IdempotentByKey,
  IdPipe,
  QueryTimeoutError,
} from '@hone/platform';
import { Body, Controller, Get, Header, Param, Post, Query, UseGuards } from '@nestjs/common';

import { ComparedRunNotFoundError, ComparisonTooLargeError } from '../comparisons/comparisons.errors.js';
import { GateEndedError, GateNotFoundError, TooManyGatesError } from './gates.errors.js';
import { GatesService } from './gates.service.js';

@Feature('gates', 'Decisions between a current model and a candidate that may be looked at as often as one likes.')
@Controller('evaluation/gates')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class GatesController {
  constructor(private readonly gates: GatesService) {}

  @Post()
  @IdempotentByKey()
  @Answers(
    GateDto,
    'createGate',
    'Decide whether a candidate is better',
    AccessDeniedError,
    ProjectNotFoundError,
    ComparedRunNotFoundError,
    ComparisonTooLargeError,
    QueryTimeoutError,
    TooManyGatesError,
  )
  create(@CurrentPrincipal() author: Principal, @Body() body: GateCreateDto): Promise<GateDto> {
    return this.gates.create(author, body);
  }

  @Get()
  @Header('cache-control', 'no-store')
  @Answers(GatePageDto, 'listGates', 'List the gates of a project', AccessDeniedError, ProjectNotFoundError)
  list(@CurrentPrincipal() caller: Principal, @Query() query: GatesQueryDto): Promise<GatePageDto> {
    return this.gates.list(caller, query.project_id, query.cursor);
  }

  @Get(':gate_id')
  @Header('cache-control', 'no-store')
  @Answers(GateDto, 'getGate', 'Read a gate', AccessDeniedError, GateNotFoundError)
  get(@CurrentPrincipal() caller: Principal, @Param('gate_id', IdPipe) id: string): Promise<GateDto> {
    return this.gates.get(caller, id);
  }

  @Post(':gate_id/cancel')
  @IdempotentByKey('path')
  @Answers(
    GateDto,
    'cancelGate',
    'Cancel a gate; what it saw stays',
    AccessDeniedError,
    GateNotFoundError,
    GateEndedError,
  )
  cancel(@CurrentPrincipal() caller: Principal, @Param('gate_id', IdPipe) id: string): Promise<GateDto> {
    return this.gates.cancel(caller, id);
  }
}
