import { type Principal, ProjectAccess } from '@hone/auth';
import type { DatasetCreateResultDto, DatasetFromCsvQueryDto, DatasetFromCsvResultDto } from '@hone/contracts';
import { BodyThreads, contentOf, RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { TableService } from '../tables/table.service.js';
import { toSentVersion } from '../typed-objects/sent-version.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import type { CsvFile } from './csv-body.decorator.js';
import { DATASET, toDatasetVal } from './dataset.mapper.js';
import { CSV_FILE, type SentDataset } from './dataset-bodies.task.js';

@Injectable()
export class DatasetService {
  constructor(
    private readonly typedObjects: TypedObjectService,
    private readonly tables: TableService,
    private readonly refScheme: RefScheme,
    private readonly access: ProjectAccess,
    private readonly threads: BodyThreads,
  ) {}

  /**
   * Stores a version of a dataset, its rows as a table.
   *
   * @throws ValidationError the name gives no object id
   * @throws AccessDeniedError, TypeCollisionError
   */
  async create(
    author: Principal,
    projectId: string,
    { table, ...dataset }: SentDataset,
    left: AbortSignal,
  ): Promise<DatasetCreateResultDto> {
    const { name: scheme } = this.refScheme;
    const val = toDatasetVal(dataset, `${scheme}:///${projectId}/table/${table.digests.digest}`);
    const sent = toSentVersion(DATASET.noun, { name: dataset.name, val }, scheme);
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
    await this.access.grantWrite(author, 'trace', projectId, 'writer');
    const sent = { bytes, query, refScheme: this.refScheme.name };
    const outcome = await this.threads.runUnlessLight(CSV_FILE, sent, bytes.length, { signal: left });
    const { dataset, columns } = contentOf(outcome);
    const created = await this.create(author, projectId, dataset, left);
    return { ...created, num_rows: dataset.table.digests.count, columns };
  }
}
