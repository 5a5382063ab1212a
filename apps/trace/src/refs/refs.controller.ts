import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { RefsReadDto, RefsReadResultDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, Feature } from '@hone/platform';
import { Body, Controller, Header, Post, UseGuards } from '@nestjs/common';

import { ObjectNotFoundError } from '../objects/object.errors.js';
import { RefReaderService } from './ref-reader.service.js';

@ApiBasicAuth('basic')
@Feature('objects', 'Versioned JSON values.')
@Controller('refs')
@UseGuards(BasicAuthGuard)
export class RefsController {
  constructor(private readonly reader: RefReaderService) {}

  @Post('read_batch')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(RefsReadResultDto, 'readRefs', 'Read values by their refs', AccessDeniedError, ObjectNotFoundError)
  read(@CurrentPrincipal() caller: Principal, @Body() { refs }: RefsReadDto): Promise<Readable> {
    return this.reader.read(caller, refs);
  }
}
