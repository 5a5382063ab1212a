import type { Readable } from 'node:stream';

import { Body, Controller, Delete, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  DatasetCreateDto,
  DatasetCreateResultDto,
  DatasetFromCsvQueryDto,
  DatasetFromCsvResultDto,
  DatasetVersionDto,
  type RawJson,
  TypedObjectListQueryDto,
  VersionsDeleteQueryDto,
  VersionsDeleteResultDto,
} from '@hone/contracts';
import {
  Answers,
  AnswersLines,
  ApiBasicAuth,
  CallerLeft,
  EntityPipe,
  Feature,
  IdempotentByKey,
  NamePipe,
  QueryTimeoutError,
  TakesQuery,
} from '@hone/platform';

import { AliasProtectedError, ObjectDeletedError, TypeCollisionError } from '../objects/object.errors.js';
import { Digests } from '../typed-objects/digests.decorator.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import { CsvBody, type CsvFile, TakesCsv } from './csv-body.decorator.js';
import { DatasetNotFoundError } from './dataset.errors.js';
import { DATASET, type DatasetVersion } from './dataset.mapper.js';
import { DatasetService } from './dataset.service.js';

@ApiBasicAuth('basic')
@Feature('datasets', 'Versioned rows on which models are evaluated.')
@Controller('v2/:entity/:project/datasets')
@UseGuards(BasicAuthGuard)
export class DatasetsController {
  constructor(
    private readonly datasets: DatasetService,
    private readonly typedObjects: TypedObjectService,
  ) {}

  @Post()
  @IdempotentByKey()
  @Answers(
    DatasetCreateResultDto,
    'createDataset',
    'Store a version of a dataset',
    AccessDeniedError,
    TypeCollisionError,
  )
  create(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Body() body: DatasetCreateDto,
    @CallerLeft() left: AbortSignal,
  ): Promise<DatasetCreateResultDto> {
    return this.datasets.create(author, `${entity}/${project}`, body, left);
  }

  /** The first line names the columns; a value stays the text that was written unless its column is said to be of another type. */
  @Post('from_csv')
  @IdempotentByKey('path')
  @TakesCsv()
  @Answers(
    DatasetFromCsvResultDto,
    'createDatasetFromCsv',
    'Store a version of a dataset from a CSV file',
    AccessDeniedError,
    TypeCollisionError,
  )
  createFromCsv(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @Query() query: DatasetFromCsvQueryDto,
    @CsvBody() file: CsvFile,
    @CallerLeft() left: AbortSignal,
  ): Promise<DatasetFromCsvResultDto> {
    return this.datasets.createFromCsv(author, `${entity}/${project}`, { file, query }, left);
  }

  @Get()
  @AnswersLines(
    DatasetVersionDto,
    'listDatasets',
    'List the latest versions of datasets, one on each line',
    AccessDeniedError,
    QueryTimeoutError,
  )
  list(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: TypedObjectListQueryDto,
  ): Promise<RawJson | Readable> {
    return this.typedObjects.list(DATASET, caller, `${entity}/${project}`, query);
  }

  @Get(':object_id/versions/:digest')
  @Answers(
    DatasetVersionDto,
    'getDataset',
    'Read one version of a dataset',
    AccessDeniedError,
    ProjectNotFoundError,
    DatasetNotFoundError,
    ObjectDeletedError,
  )
  getVersion(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('object_id') objectId: string,
    @Param('digest') selector: string,
  ): Promise<DatasetVersion> {
    return this.typedObjects.get(DATASET, caller, { projectId: `${entity}/${project}`, objectId, selector });
  }

  @Delete(':object_id')
  @TakesQuery(VersionsDeleteQueryDto)
  @Answers(
    VersionsDeleteResultDto,
    'deleteDataset',
    'Delete versions of a dataset',
    AccessDeniedError,
    ProjectNotFoundError,
    DatasetNotFoundError,
    AliasProtectedError,
  )
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('object_id') objectId: string,
    @Digests() digests: string[] | undefined,
  ): Promise<VersionsDeleteResultDto> {
    return this.typedObjects.delete(DATASET, caller, { projectId: `${entity}/${project}`, objectId }, digests);
  }
}
