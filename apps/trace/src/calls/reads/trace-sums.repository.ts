import { IS_SHOWN } from '@hone/call-queries';
import { MODEL_TOKENS, type Prices } from '@hone/calls';
import type { ModelTokens } from '@hone/calls/derived';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** What all calls of a trace did together. */
export interface TraceSums {
  calls: number;
  /** Calls that failed. */
  errors: number;
  /** Models that were used, those with the most tokens first. */
  models: string[];
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** US dollars. Null: no model has a price. */
  cost: number | null;
}

interface SumRow extends Omit<ModelTokens, 'model'> {
  traceId: string;
  /** Null: calls that used no model. */
  model: string | null;
  /** When the first of these calls began. */
  startedAt: Date;
  calls: number;
  errors: number;
}

/** Sums up traces. */
@Injectable()
export class TraceSumsRepository {
  constructor(private readonly database: Database) {}

  /** By trace id. Prices are those at the start of the first call between two changes of prices. */
  async ofTraces(projectRowId: string, traceIds: readonly string[], prices: Prices): Promise<Map<string, TraceSums>> {
    const rows = await this.database.client.$queryRaw<SumRow[]>`
      SELECT c.trace_id AS "traceId", u.model, width_bucket(c.started_at, ${prices.changes()}::timestamptz[]), min(c.started_at) AS "startedAt",
        count(*) FILTER (WHERE coalesce(u.place, 1) = 1)::int AS calls,
        count(c.exception) FILTER (WHERE coalesce(u.place, 1) = 1)::int AS errors, coalesce(sum(u.requests), 0) AS requests,
        coalesce(sum(u.prompt), 0) AS prompt, coalesce(sum(u.completion), 0) AS completion, coalesce(sum(u.total), 0) AS total,
        sum(u.cached) AS cached, sum(u.written) AS written, sum(u.reasoning) AS reasoning
      FROM calls c LEFT JOIN LATERAL ${MODEL_TOKENS} u ON true
      WHERE c.project_id = ${projectRowId}::uuid AND c.trace_id = ANY(${Prisma.sql`${traceIds}::text[]`}) AND ${IS_SHOWN}
      GROUP BY 1, 2, 3 ORDER BY sum(u.total) DESC NULLS LAST, 2`;
    const traces = new Map<string, TraceSums>();
    for (const row of rows) {
      const sums = traces.get(row.traceId) ?? { ...NOTHING, models: [] };
      traces.set(row.traceId, added(sums, row, prices));
    }
    return traces;
  }
}

const NOTHING = { calls: 0, errors: 0, prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: null };

function added(sums: TraceSums, row: SumRow, prices: Prices): TraceSums {
  const { model } = row;
  const cost = model === null ? undefined : prices.costOf({ ...row, model }, row.startedAt);
  return {
    calls: sums.calls + row.calls,
    errors: sums.errors + row.errors,
    models: model === null || sums.models.includes(model) ? sums.models : [...sums.models, model],
    prompt_tokens: sums.prompt_tokens + row.prompt,
    completion_tokens: sums.completion_tokens + row.completion,
    total_tokens: sums.total_tokens + row.total,
    cost: cost === undefined ? sums.cost : (sums.cost ?? 0) + cost,
  };
}
