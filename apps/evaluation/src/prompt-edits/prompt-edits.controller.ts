import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import { PromptEditCreateDto, PromptEditDto, PromptEditPageDto, PromptEditsQueryDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature, IdempotentByKey, IdPipe } from '@hone/platform';
import { Body, Controller, Get, Header, Param, Post, Query, UseGuards } from '@nestjs/common';

import { DatasetNotFoundError, PromptNotFoundError } from '../runs/evaluation-jobs.errors.js';
import { ScorerNotDefinedError, ScorerNotFoundError } from '../scorers/scorers.errors.js';
import { PromptEditEndedError, PromptEditNotFoundError, TooManyPromptEditsError } from './prompt-edits.errors.js';
import { PromptEditsService } from './prompt-edits.service.js';

@Feature('prompt edits', 'Jobs in which a model reads where a prompt failed, and edits it.')
@Controller('evaluation/prompt-edits')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class PromptEditsController {
  constructor(private readonly edits: PromptEditsService) {}

  @Post()
  @IdempotentByKey()
  @Answers(
    PromptEditDto,
    'createPromptEdit',
    'Let a model edit a prompt after reading where it failed',
    AccessDeniedError,
    ProjectNotFoundError,
    DatasetNotFoundError,
    PromptNotFoundError,
    ScorerNotFoundError,
    ScorerNotDefinedError,
    TooManyPromptEditsError,
  )
  create(@CurrentPrincipal() author: Principal, @Body() body: PromptEditCreateDto): Promise<PromptEditDto> {
    return this.edits.create(author, body);
  }

  @Get()
  @Header('cache-control', 'no-store')
  @Answers(
    PromptEditPageDto,
    'listPromptEdits',
    'List the edits of prompts of a project',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  list(@CurrentPrincipal() caller: Principal, @Query() query: PromptEditsQueryDto): Promise<PromptEditPageDto> {
    return this.edits.list(caller, query.project_id, query.cursor);
  }

  @Get(':prompt_edit_id')
  @Header('cache-control', 'no-store')
  @Answers(PromptEditDto, 'getPromptEdit', 'Read an edit of a prompt', AccessDeniedError, PromptEditNotFoundError)
  get(@CurrentPrincipal() caller: Principal, @Param('prompt_edit_id', IdPipe) id: string): Promise<PromptEditDto> {
    return this.edits.get(caller, id);
  }

  @Post(':prompt_edit_id/cancel')
  @IdempotentByKey('path')
  @Answers(
    PromptEditDto,
    'cancelPromptEdit',
    'Cancel an edit of a prompt; what was answered and scored stays',
    AccessDeniedError,
    PromptEditNotFoundError,
    PromptEditEndedError,
  )
  cancel(@CurrentPrincipal() caller: Principal, @Param('prompt_edit_id', IdPipe) id: string): Promise<PromptEditDto> {
    return this.edits.cancel(caller, id);
  }
}
