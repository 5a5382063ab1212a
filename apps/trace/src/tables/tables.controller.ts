import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  type RawJson,
  TableCreateResultDto,
  TableDigestDto,
  TableEraseDto,
  TableEraseResultDto,
  TableQueryDto,
  TableQueryResultDto,
  TableRowDto,
  TableRowsEraseDto,
  TableStatsBatchDto,
  TableStatsBatchResultDto,
  TableStatsDto,
  TableStatsResultDto,
  TableUpdateResultDto,
} from '@hone/contracts';
import {
  Answers,
  AnswersLines,
  ApiBasicAuth,
  BodyContent,
  CallerLeft,
  Feature,
  QueryTimeoutError,
  ReadsBody,
} from '@hone/platform';
import { Body, Controller, Header, Post, UseGuards } from '@nestjs/common';

import { DigestMismatchError } from '../objects/object.errors.js';
import { TableInUseError, TableNotFoundError } from './table.errors.js';
import { type TableCreated, TableService, type TableUpdated } from './table.service.js';
import {
  DIGESTS_BODY,
  type SentDigests,
  type SentTable,
  type SentUpdate,
  TABLE_BODY,
  UPDATE_BODY,
} from './table-bodies.task.js';
import { TableErasureService } from './table-erasure.service.js';

@ApiBasicAuth('basic')
@Feature('tables', 'Rows in an order, which datasets name by digest.')
@Controller('table')
@UseGuards(BasicAuthGuard)
export class TablesController {
  constructor(
    private readonly tables: TableService,
    private readonly erasure: TableErasureService,
  ) {}

  @Post('create')
  @ReadsBody(TABLE_BODY)
  @Answers(TableCreateResultDto, 'createTable', 'Store a table', AccessDeniedError, DigestMismatchError)
  create(
    @CurrentPrincipal() author: Principal,
    @BodyContent() table: SentTable,
    @CallerLeft() left: AbortSignal,
  ): Promise<TableCreated> {
    return this.tables.create(author, table, left);
  }

  @Post('create_from_digests')
  @ReadsBody(DIGESTS_BODY)
  @Answers(
    TableDigestDto,
    'createTableFromDigests',
    'Store a table of rows that are there',
    AccessDeniedError,
    ProjectNotFoundError,
    DigestMismatchError,
  )
  createFromDigests(
    @CurrentPrincipal() author: Principal,
    @BodyContent() digests: SentDigests,
  ): Promise<TableDigestDto> {
    return this.tables.createFromDigests(author, digests);
  }

  @Post('update')
  @ReadsBody(UPDATE_BODY)
  @Answers(
    TableUpdateResultDto,
    'updateTable',
    'Store a changed copy of a table',
    AccessDeniedError,
    ProjectNotFoundError,
    TableNotFoundError,
  )
  update(
    @CurrentPrincipal() author: Principal,
    @BodyContent() update: SentUpdate,
    @CallerLeft() left: AbortSignal,
  ): Promise<TableUpdated> {
    return this.tables.update(author, update, left);
  }

  @Post('query')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(
    TableQueryResultDto,
    'queryTable',
    'Read rows of a table',
    AccessDeniedError,
    ProjectNotFoundError,
    TableNotFoundError,
    QueryTimeoutError,
  )
  query(@CurrentPrincipal() caller: Principal, @Body() body: TableQueryDto): Promise<RawJson | Readable> {
    return this.tables.query(caller, body);
  }

  @Post('query_stream')
  @AnswersLines(
    TableRowDto,
    'streamTable',
    'Read rows of a table, one on each line',
    AccessDeniedError,
    ProjectNotFoundError,
    TableNotFoundError,
    QueryTimeoutError,
  )
  stream(@CurrentPrincipal() caller: Principal, @Body() body: TableQueryDto): Promise<RawJson | Readable> {
    return this.tables.stream(caller, body);
  }

  @Post('query_stats')
  @Answers(
    TableStatsResultDto,
    'countTableRows',
    'Count the rows of a table',
    AccessDeniedError,
    ProjectNotFoundError,
    TableNotFoundError,
  )
  async count(@CurrentPrincipal() caller: Principal, @Body() body: TableStatsDto): Promise<TableStatsResultDto> {
    return { count: await this.tables.count(caller, body) };
  }

  @Post('query_stats_batch')
  @Answers(TableStatsBatchResultDto, 'listTableStatistics', 'Count the rows of several tables', AccessDeniedError)
  statistics(
    @CurrentPrincipal() caller: Principal,
    @Body() body: TableStatsBatchDto,
  ): Promise<TableStatsBatchResultDto> {
    return this.tables.statistics(caller, body);
  }

  @Post('erase')
  @Answers(
    TableEraseResultDto,
    'eraseTable',
    'Erase a table, and its rows that are in no other one',
    AccessDeniedError,
    ProjectNotFoundError,
    TableNotFoundError,
    TableInUseError,
  )
  erase(@CurrentPrincipal() caller: Principal, @Body() body: TableEraseDto): Promise<TableEraseResultDto> {
    return this.erasure.erase(caller, body);
  }

  @Post('rows/erase')
  @Answers(
    TableEraseResultDto,
    'eraseTableRows',
    'Erase the values of rows, in whatever tables they are',
    AccessDeniedError,
    ProjectNotFoundError,
  )
  eraseRows(@CurrentPrincipal() caller: Principal, @Body() body: TableRowsEraseDto): Promise<TableEraseResultDto> {
    return this.erasure.eraseRows(caller, body);
  }
}
