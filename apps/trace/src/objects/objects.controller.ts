import type { Readable } from 'node:stream';

import { Body, Controller, Header, Post, UseGuards } from '@nestjs/common';
import { BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import {
  ObjectCreateDto,
  ObjectCreateResultDto,
  ObjectQueryDto,
  ObjectQueryResultDto,
  type RawJson,
} from '@hone/contracts';
import { Answers, ApiBasicAuth } from '@hone/platform';

import { ObjectService } from './object.service.js';

@ApiBasicAuth('basic')
@Controller()
@UseGuards(BasicAuthGuard)
export class ObjectsController {
  constructor(private readonly objects: ObjectService) {}

  @Post('obj/create')
  @Answers(ObjectCreateResultDto, 'Store a version of an object', 403, 409, 413, 422)
  create(@CurrentPrincipal() author: Principal, @Body() body: ObjectCreateDto): Promise<ObjectCreateResultDto> {
    return this.objects.create(author, body.obj);
  }

  @Post('objs/query')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(ObjectQueryResultDto, 'Query versions of stored objects', 400, 403, 413, 422)
  query(@CurrentPrincipal() caller: Principal, @Body() body: ObjectQueryDto): Promise<RawJson | Readable> {
    return this.objects.query(caller, body);
  }
}
