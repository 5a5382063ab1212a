import type { KeyOwnership } from '@hone/auth';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { spentOnModels } from '../metering/limits/budgets.sql.js';
import type { Subject } from '../metering/limits/limits.js';
import type { Spent, SubjectSpent } from './limited-subject.js';

/** Reads the keys and projects that limits apply to. */
@Injectable()
export class LimitedSubjectsRepository {
  constructor(private readonly database: Database) {}

  /** Who owns the key, revoked or not; null: there is no such key. */
  async findKey(keyId: string): Promise<KeyOwnership | null> {
    const select = { userId: true, onlyProject: true };
    return this.database.client.apiKey.findUnique({ where: { id: keyId }, select });
  }

  /** @param models names of the budgets of models */
  async findSpent(subject: Subject, models: readonly string[]): Promise<SubjectSpent> {
    const [all, onModels] = await Promise.all([this.findSpentOnAll(subject), this.findSpentOn(subject, models)]);
    return { ...all, onModels };
  }

  private async findSpentOnAll({ scope, id }: Subject): Promise<Spent> {
    const [row] = await this.database.client.$queryRaw<Spent[]>`
      SELECT coalesce((SELECT cost_nano_usd FROM usage_months WHERE scope = ${scope} AND subject_id = ${id}::uuid
          AND month = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0) AS "inMonth",
        coalesce((SELECT cost_nano_usd FROM usage_days WHERE scope = ${scope} AND subject_id = ${id}::uuid
          AND day = (now() AT TIME ZONE 'UTC')::date), 0) AS today`;
    return row as Spent;
  }

  private async findSpentOn({ scope, id }: Subject, models: readonly string[]): Promise<ReadonlyMap<string, Spent>> {
    if (models.length === 0) return new Map();
    const spent = (period: string) =>
      spentOnModels({
        scope: 'named.scope',
        id: 'named.id',
        model: 'named.model',
        period: `'${period}'`,
        now: 'now()',
      });
    const rows = await this.database.client.$queryRaw<(Spent & { model: string })[]>`
      SELECT model, ${spent('month')}::bigint AS "inMonth", ${spent('day')}::bigint AS today
      FROM (SELECT ${scope}::text AS scope, ${id}::uuid AS id, unnest(${models}::text[]) AS model) AS named`;
    return new Map(rows.map(({ model, inMonth, today }) => [model, { inMonth, today }]));
  }
}
