import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ModelRecord } from '../models/model.record.js';

/** Reads how far models have got. */
@Injectable()
export class PoliciesRepository {
  constructor(private readonly database: Database) {}

  /** Highest step of a live checkpoint; 0: the base. */
  async findLatestStep({ projectId, id }: ModelRecord): Promise<number> {
    const where = { projectId, modelId: id, deletedAt: null };
    return (await this.database.client.checkpoint.aggregate({ where, _max: { step: true } }))._max.step ?? 0;
  }
}
