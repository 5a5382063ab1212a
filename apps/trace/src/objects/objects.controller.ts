import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  ObjectCreateResultDto,
  ObjectDeleteDto,
  ObjectDeleteResultDto,
  ObjectEraseDto,
  ObjectEraseResultDto,
  ObjectQueryDto,
  ObjectQueryResultDto,
  ObjectReadDto,
  ObjectReadResultDto,
  ObjectRestoreDto,
  ObjectVersionDto,
} from '@hone/contracts';
import {
  Answers,
  ApiBasicAuth,
  AsLines,
  BodyContent,
  Feature,
  MayAnswerLines,
  QueryTimeoutError,
  ReadsBody,
} from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import type { RowsAnswer } from '../streams/rows-answer.js';
import {
  AliasProtectedError,
  DigestMismatchError,
  ObjectDeletedError,
  ObjectNotFoundError,
  TypeCollisionError,
} from './object.errors.js';
import { ObjectService } from './object.service.js';
import { type SentObject, TASK } from './object-body.task.js';
import { ObjectErasureService } from './object-erasure.service.js';
import { ObjectHistoryService } from './object-history.service.js';

@ApiBasicAuth('basic')
@Feature('objects', 'Versioned JSON values.')
@Controller()
@UseGuards(BasicAuthGuard)
export class ObjectsController {
  constructor(
    private readonly objects: ObjectService,
    private readonly history: ObjectHistoryService,
    private readonly erasure: ObjectErasureService,
  ) {}

  @Post('obj/create')
  @ReadsBody(TASK)
  @Answers(
    ObjectCreateResultDto,
    'createObject',
    'Store a version of an object',
    AccessDeniedError,
    DigestMismatchError,
    TypeCollisionError,
  )
  create(@CurrentPrincipal() author: Principal, @BodyContent() object: SentObject): Promise<ObjectCreateResultDto> {
    return this.objects.create(author, object);
  }

  @Post('obj/read')
  @Answers(
    ObjectReadResultDto,
    'readObject',
    'Read one version of an object',
    AccessDeniedError,
    ProjectNotFoundError,
    ObjectNotFoundError,
    ObjectDeletedError,
  )
  async read(
    @CurrentPrincipal() caller: Principal,
    @Body() body: ObjectReadDto,
  ): Promise<{ obj: Record<string, unknown> }> {
    return { obj: await this.objects.read(caller, body) };
  }

  @Post('obj/delete')
  @Answers(
    ObjectDeleteResultDto,
    'deleteObject',
    'Delete versions of an object',
    AccessDeniedError,
    ProjectNotFoundError,
    ObjectNotFoundError,
    AliasProtectedError,
  )
  delete(@CurrentPrincipal() caller: Principal, @Body() body: ObjectDeleteDto): Promise<ObjectDeleteResultDto> {
    return this.objects.delete(caller, body);
  }

  @Post('obj/erase')
  @Answers(
    ObjectEraseResultDto,
    'eraseObject',
    'Erase deleted versions of an object for good',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  erase(@CurrentPrincipal() caller: Principal, @Body() body: ObjectEraseDto): Promise<ObjectEraseResultDto> {
    return this.erasure.erase(caller, body);
  }

  @Post('obj/restore')
  @Answers(
    ObjectCreateResultDto,
    'restoreObject',
    'Bring back a deleted version of an object',
    AccessDeniedError,
    ProjectNotFoundError,
    ObjectNotFoundError,
    TypeCollisionError,
  )
  restore(@CurrentPrincipal() caller: Principal, @Body() body: ObjectRestoreDto): Promise<ObjectCreateResultDto> {
    return this.history.restore(caller, body);
  }

  @Post('objs/query')
  @MayAnswerLines(ObjectVersionDto)
  @Answers(
    ObjectQueryResultDto,
    'queryObjects',
    'Query versions of stored objects',
    AccessDeniedError,
    QueryTimeoutError,
  )
  query(
    @CurrentPrincipal() caller: Principal,
    @Body() body: ObjectQueryDto,
    @AsLines() asLines: boolean,
  ): Promise<RowsAnswer> {
    return this.objects.query(caller, body, asLines);
  }
}
