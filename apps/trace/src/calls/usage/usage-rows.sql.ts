import { type CallSelection, fromSelection } from '@hone/call-queries';
import { MODEL_TOKENS } from '@hone/calls';
import { Prisma } from '@hone/database';

import { bucketOf, isWithin, type TimeRange } from '../../time-buckets/time-buckets.sql.js';

/** What calls of a bucket used of a model, by the price that the project had for it. */
export interface UsageRow {
  timestamp: Date;
  model: string;
  requests: unknown;
  prompt: unknown;
  completion: unknown;
  total: unknown;
  /** Null: no call says. */
  cached: unknown;
  written: unknown;
  reasoning: unknown;
  /** Null: the project has no price. */
  promptTokenCost: number | null;
  completionTokenCost: number | null;
  cacheReadInputTokenCost: number | null;
  cacheCreationInputTokenCost: number | null;
  reasoningTokenCost: number | null;
  /** UTC day that the calls began on, by which the built-in list has their price; null: the project has one. */
  day: Date | null;
}

const STARTED_AT = Prisma.sql`c.started_at`;

/** What calls used of each model, by the time of the bucket and by the price that they began under. */
export const usageQuery = (selection: CallSelection, range: TimeRange): Prisma.Sql => Prisma.sql`
  SELECT timestamp, model, sum(requests) AS requests, sum(prompt) AS prompt, sum(completion) AS completion, sum(total) AS total,
    sum(cached) AS cached, sum(written) AS written, sum(reasoning) AS reasoning, price.prompt_token_cost AS "promptTokenCost",
    price.completion_token_cost AS "completionTokenCost", price.cache_read_input_token_cost AS "cacheReadInputTokenCost",
    price.cache_creation_input_token_cost AS "cacheCreationInputTokenCost", price.reasoning_token_cost AS "reasoningTokenCost",
    CASE WHEN price.id IS NULL THEN date_trunc('day', started_at, 'UTC') END AS day
  FROM (
    SELECT ${bucketOf(STARTED_AT, range)} AS timestamp, c.project_id, c.started_at, u.*
    ${fromSelection(selection, Prisma.sql`CROSS JOIN LATERAL ${MODEL_TOKENS} u`)} AND ${isWithin(STARTED_AT, range)}
  ) call LEFT JOIN LATERAL (
    SELECT p.id, p.prompt_token_cost, p.completion_token_cost, p.cache_read_input_token_cost, p.cache_creation_input_token_cost,
      p.reasoning_token_cost
    FROM costs p
    WHERE p.project_id = call.project_id AND p.model = call.model AND p.effective_date <= call.started_at
    ORDER BY p.effective_date DESC LIMIT 1
  ) price ON true
  GROUP BY 1, 2, price.id, 10, 11, 12, 13, 14, 15 ORDER BY 1, 2`;
