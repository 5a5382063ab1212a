import { IS_SHOWN } from '@hone/call-queries';
import { MODEL_TOKENS, type ModelTokens, PricesRepository } from '@hone/calls';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

type UsedRow = ModelTokens & { id: string; startedAt: Date };

/** What calls cost by the prices of their project. */
@Injectable()
export class CallCostsRepository {
  constructor(
    private readonly database: Database,
    private readonly prices: PricesRepository,
  ) {}

  /** US dollars by id. A call that used no model, or one without a price, is left out. */
  async find(projectRowId: string, ids: readonly string[]): Promise<Map<string, number>> {
    const prices = await this.prices.find(projectRowId);
    const rows = await this.database.client.$queryRaw<UsedRow[]>`
      SELECT c.id, c.started_at AS "startedAt", u.model, u.requests::float8, u.prompt::float8, u.completion::float8,
        u.total::float8, u.cached::float8, u.written::float8, u.reasoning::float8
      FROM calls c CROSS JOIN LATERAL ${MODEL_TOKENS} u
      WHERE c.project_id = ${projectRowId}::uuid AND c.id = ANY(${[...ids]}) AND ${IS_SHOWN}`;
    const costs = new Map<string, number>();
    const unpriced = new Set<string>();
    for (const { id, startedAt, ...used } of rows) {
      const cost = prices.costOf(used, startedAt);
      if (cost === undefined) unpriced.add(id);
      costs.set(id, (costs.get(id) ?? 0) + (cost ?? 0));
    }
    for (const id of unpriced) costs.delete(id);
    return costs;
  }
}
