import { type Principal, ProjectAccess } from '@hone/auth';
import {
  DatasetCreateDto,
  type DatasetCreateResultDto,
  type DatasetFromCsvQueryDto,
  type DatasetFromCsvResultDto,
  type JsonObject,
} from '@hone/contracts';
import { checked, HeavyWork, RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { TableService } from '../tables/table.service.js';
import { toSentVersion } from '../typed-objects/sent-version.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import type { CsvFile } from './csv-body.decorator.js';
import { readCsvRows } from './csv-rows.js';
import { DATASET, toDatasetVal } from './dataset.mapper.js';

/** From here on another thread reads a CSV file: each of its cells becomes a value. */
const HEAVY_CSV_BYTES = 262_144;

@Injectable()
export class DatasetService {
  constructor(
    private readonly typedObjects: TypedObjectService,
    private readonly tables: TableService,
    private readonly refScheme: RefScheme,
    private readonly access: ProjectAccess,
    private readonly heavy: HeavyWork,
  ) {}

  /**
   * Stores a version of a dataset, its rows as a table.
   *
   * @throws ValidationError the name gives no object id, or a row contains internal refs
   * @throws AccessDeniedError, TypeCollisionError
   */
  async create(
    author: Principal,
    projectId: string,
    body: DatasetCreateDto,
    left: AbortSignal,
  ): Promise<DatasetCreateResultDto> {
    const table = await this.tables.draft(body.rows as JsonObject[], ['body', 'rows'], left);
    const { name: scheme } = this.refScheme;
    const val = toDatasetVal(body, `${scheme}:///${projectId}/table/${table.digest}`);
    const sent = toSentVersion(DATASET.noun, { name: body.name, val }, scheme);
    const { version, ref } = await this.typedObjects.create(author, projectId, sent, (projectRowId) =>
      this.tables.put(projectRowId, table, left),
    );
    return { ...version, dataset_ref: ref };
  }

  /**
   * Stores a version of a dataset, whose rows are those of a CSV file.
   *
   * @throws ValidationError the file is no table, or what {@link create} throws it for
   * @throws AccessDeniedError, TypeCollisionError
   */
  async createFromCsv(
    author: Principal,
    projectId: string,
    { file, query }: { file: CsvFile; query: DatasetFromCsvQueryDto },
    left: AbortSignal,
  ): Promise<DatasetFromCsvResultDto> {
    const { bytes } = file;
    this.heavy.passOnIf(bytes.length > HEAVY_CSV_BYTES);
    await this.access.grantWrite(author, 'trace', projectId, 'writer');
    const { rows, columns } = readCsvRows(bytes, query);
    const { name, description } = query;
    const body = checked(
      DatasetCreateDto,
      { rows, ...(name && { name }), ...(description && { description }) },
      'query',
    );
    return { ...(await this.create(author, projectId, body, left)), num_rows: rows.length, columns };
  }
}
