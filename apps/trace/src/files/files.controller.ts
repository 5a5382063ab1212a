import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  FileContentDto,
  FileCreateResultDto,
  FileEraseDto,
  FileEraseResultDto,
  FileStatsDto,
  FileStatsResultDto,
} from '@hone/contracts';
import {
  Answers,
  AnswersBytes,
  ApiBasicAuth,
  ApiExcludeController,
  BodyTooLargeError,
  EncodingUnsupportedError,
  Feature,
  type StreamedBody,
  TakesStreamedBody,
} from '@hone/platform';
import { Body, Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { DigestMismatchError } from '../objects/object.errors.js';
import { FileNotFoundError } from './file.errors.js';
import { FileService } from './file.service.js';
import { FileBody } from './file-body.decorator.js';

@ApiBasicAuth('basic')
@Feature('files', 'Bytes by their digest, which values name.')
@Controller('file')
@UseGuards(BasicAuthGuard)
export class FilesController {
  constructor(private readonly files: FileService) {}

  @Post('create')
  @TakesStreamedBody()
  @FileBody()
  @Answers(
    FileCreateResultDto,
    'createFile',
    'Store a file',
    AccessDeniedError,
    BodyTooLargeError,
    EncodingUnsupportedError,
    DigestMismatchError,
  )
  async create(@CurrentPrincipal() author: Principal, @Req() { body }: FastifyRequest): Promise<FileCreateResultDto> {
    return { digest: await this.files.create(author, body as StreamedBody) };
  }

  @Post('content')
  @AnswersBytes('readFile', 'Read a file', AccessDeniedError, ProjectNotFoundError, FileNotFoundError)
  async content(
    @CurrentPrincipal() caller: Principal,
    @Body() { project_id, digest }: FileContentDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const { bytes, content } = await this.files.open(caller, project_id, digest);
    // Never shown by a browser: whoever may write in a project could otherwise run scripts in the console's origin.
    reply.header('content-type', 'application/octet-stream').header('content-disposition', 'attachment');
    reply.header('x-content-type-options', 'nosniff').header('content-length', bytes);
    return content;
  }

  @Post('erase')
  @Answers(FileEraseResultDto, 'eraseFiles', 'Erase files', AccessDeniedError, ProjectNotFoundError)
  erase(@CurrentPrincipal() caller: Principal, @Body() body: FileEraseDto): Promise<FileEraseResultDto> {
    return this.files.erase(caller, body);
  }
}

/** The other path of the same: some clients use it. */
@ApiBasicAuth('basic')
@ApiExcludeController()
@Controller('files')
export class FilesAliasController extends FilesController {
  constructor(files: FileService) {
    super(files);
  }
}

@ApiBasicAuth('basic')
@Feature('files', 'Bytes by their digest, which values name.')
@Controller('files')
@UseGuards(BasicAuthGuard)
export class FileStatsController {
  constructor(private readonly files: FileService) {}

  @Post('query_stats')
  @Answers(FileStatsResultDto, 'readFileStatistics', 'Count the bytes of a project’s files', AccessDeniedError)
  async statistics(
    @CurrentPrincipal() caller: Principal,
    @Body() { project_id }: FileStatsDto,
  ): Promise<FileStatsResultDto> {
    return { total_size_bytes: await this.files.totalBytes(caller, project_id) };
  }
}
