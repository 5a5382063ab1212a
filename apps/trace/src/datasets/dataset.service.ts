import { Injectable } from '@nestjs/common';
import type { DatasetCreateDto, DatasetCreateResultDto, JsonObject } from '@hone/contracts';
import type { Principal } from '@hone/auth';
import { RefScheme } from '@hone/platform';

import { TableService } from '../tables/table.service.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import { DATASET, toDatasetVal } from './dataset.mapper.js';

@Injectable()
export class DatasetService {
  constructor(
    private readonly typedObjects: TypedObjectService,
    private readonly tables: TableService,
    private readonly refScheme: RefScheme,
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
    const { version, ref } = await this.typedObjects.create(DATASET, author, projectId, {
      name: body.name,
      val: toDatasetVal(body, `${this.refScheme.name}:///${projectId}/table/${table.digest}`),
      storeParts: (projectRowId) => this.tables.put(projectRowId, table, left),
    });
    return { ...version, dataset_ref: ref };
  }
}
