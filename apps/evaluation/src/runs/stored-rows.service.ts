import { isJsonObject, type JsonObject, parseJson } from '@hone/contracts';
import { StoredTablesRepository } from '@hone/objects';
import { Injectable } from '@nestjs/common';

import type { EvaluationJob } from './evaluation-job.record.js';

/** Characters of a row that is asked: no model reads more, and to parse more would hold up other requests. */
const MAX_ROW = 1_048_576;

/** Rows of datasets. */
@Injectable()
export class StoredRows {
  constructor(private readonly tables: StoredTablesRepository) {}

  /** @returns null: it is gone, too large, or no object */
  async find({ projectRowId }: Pick<EvaluationJob, 'projectRowId'>, digest: string): Promise<JsonObject | null> {
    const text = await this.tables.findRow(projectRowId, digest);
    const row = text === null || text.length > MAX_ROW ? null : parseJson(text);
    return isJsonObject(row) ? row : null;
  }
}
