import { toUsd } from '@hone/calls';
import type { TrainingDataCoverageDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

const MAX_MODELS = 20;

interface Sums {
  all: bigint;
  ours: bigint;
  all_cost: bigint;
  cost: bigint;
}

/** Reads how much of a project's traffic models answer. */
@Injectable()
export class CoverageRepository {
  constructor(private readonly database: Database) {}

  /** Of the last 24 hours, by whole hours. Null: there was no request. @param models names as requests have them */
  async find(projectRowId: string, models: ReadonlySet<string>): Promise<TrainingDataCoverageDto | null> {
    const named = [...models].sort();
    const [sums] = await this.database.client.$queryRaw<Sums[]>`
      SELECT coalesce(sum(requests), 0)::bigint AS all, coalesce(sum(cost_nano_usd), 0)::bigint AS all_cost,
        coalesce(sum(requests) FILTER (WHERE model = ANY (${named})), 0)::bigint AS ours,
        coalesce(sum(cost_nano_usd) FILTER (WHERE model = ANY (${named})), 0)::bigint AS cost
      FROM usage_hours WHERE project_id = ${projectRowId}::uuid AND hour >= now() - interval '24 hours'`;
    if (!sums || sums.all === 0n) return null;
    return {
      models: named.slice(0, MAX_MODELS),
      requests: Number(sums.ours),
      share_of_requests: Number(sums.ours) / Number(sums.all),
      cost_usd: toUsd(Number(sums.cost)),
      share_of_cost: sums.all_cost === 0n ? 0 : Number(sums.cost) / Number(sums.all_cost),
    };
  }
}
