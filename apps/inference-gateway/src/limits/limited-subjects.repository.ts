import type { KeyOwnership } from '@hone/auth';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { Subject } from '../metering/limits/limits.js';
import type { Spent } from './limited-subject.js';

/** Reads the keys and projects that limits apply to. */
@Injectable()
export class LimitedSubjectsRepository {
  constructor(private readonly database: Database) {}

  /** Who owns the key, revoked or not; null: there is no such key. */
  async findKey(keyId: string): Promise<KeyOwnership | null> {
    const select = { userId: true, onlyProject: true };
    return this.database.client.apiKey.findUnique({ where: { id: keyId }, select });
  }

  async findSpent({ scope, id }: Subject): Promise<Spent> {
    const [row] = await this.database.client.$queryRaw<Spent[]>`
      SELECT coalesce((SELECT cost_nano_usd FROM usage_months WHERE scope = ${scope} AND subject_id = ${id}::uuid
          AND month = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0) AS "inMonth",
        coalesce((SELECT cost_nano_usd FROM usage_days WHERE scope = ${scope} AND subject_id = ${id}::uuid
          AND day = (now() AT TIME ZONE 'UTC')::date), 0) AS today`;
    return row as Spent;
  }
}
