import type { Readable } from 'node:stream';

import { Body, Controller, Header, Post, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import {
  ObjectCreateDto,
  ObjectCreateResultDto,
  ObjectQueryDto,
  ObjectQueryResultDto,
  type RawJson,
} from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature, QueryTimeoutError } from '@hone/platform';

import { DigestMismatchError, TypeCollisionError } from './object.errors.js';
import { ObjectService } from './object.service.js';

@ApiBasicAuth('basic')
@Feature('objects', 'Versioned JSON values.')
@Controller()
@UseGuards(BasicAuthGuard)
export class ObjectsController {
  constructor(private readonly objects: ObjectService) {}

  @Post('obj/create')
  @Answers(
    ObjectCreateResultDto,
    'createObject',
    'Store a version of an object',
    AccessDeniedError,
    DigestMismatchError,
    TypeCollisionError,
  )
  create(@CurrentPrincipal() author: Principal, @Body() body: ObjectCreateDto): Promise<ObjectCreateResultDto> {
    return this.objects.create(author, body.obj);
  }

  @Post('objs/query')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(
    ObjectQueryResultDto,
    'queryObjects',
    'Query versions of stored objects',
    AccessDeniedError,
    QueryTimeoutError,
  )
  query(@CurrentPrincipal() caller: Principal, @Body() body: ObjectQueryDto): Promise<RawJson | Readable> {
    return this.objects.query(caller, body);
  }
}
