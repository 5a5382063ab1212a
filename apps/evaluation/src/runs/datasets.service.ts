import { parseTableRef } from '@hone/contracts';
import { StoredTablesRepository } from '@hone/objects';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { isOfClass, type StoredObject, StoredObjects } from '../stored-objects/stored-objects.service.js';
import { DatasetNotFoundError } from './evaluation-jobs.errors.js';

const DATASET_CLASS = 'Dataset';

/** Datasets, and the tables of their rows. */
@Injectable()
export class Datasets {
  constructor(
    private readonly objects: StoredObjects,
    private readonly tables: StoredTablesRepository,
  ) {}

  /** @param name a ref, an object's id for its newest version, or `<id>:<version>`. @throws DatasetNotFoundError */
  async find(project: OwnProject, name: string): Promise<StoredObject> {
    const found = await this.objects.find(project, name);
    if (found === null || !isOfClass(found.value, DATASET_CLASS)) throw new DatasetNotFoundError(name);
    return found;
  }

  /** The digest of its table, and how many rows that has. @throws DatasetNotFoundError */
  async tableOf(project: OwnProject, dataset: StoredObject): Promise<{ digest: string; count: number }> {
    const { rows } = dataset.value;
    const table = typeof rows === 'string' ? parseTableRef(rows) : undefined;
    const count = table?.projectId === project.id ? await this.tables.count(project.rowId, table.digest) : null;
    if (!table || count === null) throw new DatasetNotFoundError(dataset.objectId);
    return { digest: table.digest, count };
  }

  /** Digests of different rows, in their order. */
  async digestsOf(project: OwnProject, table: string): Promise<string[]> {
    return [...new Set((await this.tables.readChunks(project.rowId, table)).flat())];
  }
}
