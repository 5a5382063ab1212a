import { AccessDeniedError, CurrentPrincipal, type Principal } from '@hone/auth';
import {
  DatasetCreateResultDto,
  DatasetFromCsvQueryDto,
  DatasetFromCsvResultDto,
  DatasetVersionDto,
} from '@hone/contracts';
import {
  Answers,
  ApiBasicAuth,
  BodyContent,
  CallerLeft,
  EntityPipe,
  Feature,
  IdempotentByKey,
  NamePipe,
  ReadsBody,
} from '@hone/platform';
import { Controller, Param, Post, Query } from '@nestjs/common';

import { TypeCollisionError } from '../objects/object.errors.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import { TypedObjectsController } from '../typed-objects/typed-objects.controller.js';
import { CsvBody, type CsvFile, TakesCsv } from './csv-body.decorator.js';
import { DATASET } from './dataset.mapper.js';
import { DatasetService } from './dataset.service.js';
import { DATASET_BODY, READ, type SentDataset } from './dataset-bodies.task.js';

@ApiBasicAuth('basic')
@Feature('datasets', 'Versioned rows on which models are evaluated.')
@Controller('v2/:entity/:project/datasets')
export class DatasetsController extends TypedObjectsController({ kind: DATASET, task: READ }, DatasetVersionDto, {
  one: 'a dataset',
  many: 'datasets',
  operations: { list: 'listDatasets', get: 'getDataset', delete: 'deleteDataset' },
}) {
  constructor(
    private readonly datasets: DatasetService,
    typedObjects: TypedObjectService,
  ) {
    super(typedObjects);
  }

  @Post()
  @IdempotentByKey()
  @ReadsBody(DATASET_BODY)
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
    @BodyContent() dataset: SentDataset,
    @CallerLeft() left: AbortSignal,
  ): Promise<DatasetCreateResultDto> {
    return this.datasets.create(author, `${entity}/${project}`, dataset, left);
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
}
