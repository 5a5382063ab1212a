import { type CallSelection, fromSelection } from '@hone/call-queries';
import { BESIDE_INPUT, COUNT_NAMES } from '@hone/calls';
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

/**
 * Reads counts as `readTokenUsage` does, whose names these are. A call whose summary counts more calls than itself sums its
 * descendants, which are counted themselves. Most count none, and to sum nothing of each of them would take a fifth of the
 * time.
 */
export const usageQuery = (selection: CallSelection, range: TimeRange): Prisma.Sql => Prisma.sql`
  SELECT timestamp, model, sum(requests) AS requests, sum(prompt) AS prompt, sum(completion) AS completion, sum(total) AS total,
    sum(CASE WHEN cached IS NOT NULL THEN least(cached, prompt) END) AS cached,
    sum(CASE WHEN written IS NOT NULL THEN least(written, prompt - least(coalesce(cached, 0), prompt)) END) AS written,
    sum(CASE WHEN reasoning IS NOT NULL THEN least(reasoning, completion) END) AS reasoning, price.prompt_token_cost AS "promptTokenCost",
    price.completion_token_cost AS "completionTokenCost", price.cache_read_input_token_cost AS "cacheReadInputTokenCost",
    price.cache_creation_input_token_cost AS "cacheCreationInputTokenCost", price.reasoning_token_cost AS "reasoningTokenCost",
    CASE WHEN price.id IS NULL THEN date_trunc('day', started_at, 'UTC') END AS day
  FROM (
    SELECT *, CASE WHEN is_additive THEN greatest(sent_total, prompt + completion) ELSE coalesce(sent_total, prompt + completion) END AS total
    FROM (
      SELECT *, coalesce(sent_prompt, 0) + CASE WHEN is_additive THEN from_cache ELSE 0 END AS prompt
      FROM (
        SELECT *, (is_beside AND sent_total IS DISTINCT FROM coalesce(sent_prompt, 0) + completion) OR coalesce(from_cache > sent_prompt, false) AS is_additive
        FROM (SELECT *, coalesce(cached, 0) + coalesce(written, 0) AS from_cache FROM (${counts(selection, range)}) sent) summed
      ) told
    ) whole
  ) call LEFT JOIN LATERAL (
    SELECT p.id, p.prompt_token_cost, p.completion_token_cost, p.cache_read_input_token_cost, p.cache_creation_input_token_cost,
      p.reasoning_token_cost
    FROM costs p
    WHERE p.project_id = call.project_id AND p.model = call.model AND p.effective_date <= call.started_at
    ORDER BY p.effective_date DESC LIMIT 1
  ) price ON true
  GROUP BY 1, 2, price.id, 10, 11, 12, 13, 14, 15 ORDER BY 1, 2`;

/** The counts that each call sent of each model. */
const counts = (selection: CallSelection, range: TimeRange): Prisma.Sql => Prisma.sql`
  SELECT ${bucketOf(STARTED_AT, range)} AS timestamp, c.project_id, c.started_at, u.key AS model,
    coalesce(${numberOf('requests')}, 0) AS requests, ${count('prompt')} AS sent_prompt, coalesce(${count('completion')}, 0) AS completion,
    ${count('total')} AS sent_total, ${count('cached')} AS cached, ${count('written')} AS written, ${count('reasoning')} AS reasoning,
    (NOT u.value ? 'prompt_tokens' AND u.value ?| ${[...BESIDE_INPUT]}::text[]) AS is_beside
  ${fromSelectionWithUsage(selection)} AND ${isWithin(STARTED_AT, range)} AND jsonb_typeof(u.value) = 'object'
    AND (used.summary -> 'status_counts' IS NULL OR coalesce((
      SELECT sum(n.value::numeric) FROM jsonb_each(${objectOf(Prisma.sql`used.summary -> 'status_counts'`)}) n
      WHERE jsonb_typeof(n.value) = 'number'), 0) <= 1)`;

const count = (name: keyof typeof COUNT_NAMES): Prisma.Sql =>
  Prisma.sql`coalesce(${Prisma.join(COUNT_NAMES[name].map((path) => Prisma.sql`hone_count(u.value #> ${path.split('.')}::text[])`))})`;

const objectOf = (json: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(CASE jsonb_typeof(${json}) WHEN 'object' THEN ${json} ELSE '{}'::jsonb END)`;

const numberOf = (name: string): Prisma.Sql =>
  Prisma.sql`(CASE jsonb_typeof(u.value -> ${name}) WHEN 'number' THEN (u.value -> ${name})::numeric END)`;

/** The calls that used models, with `u` for each of these. Of the others, most spans of a trace, no JSON is parsed. */
const fromSelectionWithUsage = (selection: CallSelection): Prisma.Sql =>
  fromSelection(
    selection,
    Prisma.sql`JOIN LATERAL (
        SELECT coalesce(s.summary_json, s.summary_text::jsonb) AS summary FROM call_values s
        WHERE s.project_id = c.project_id AND s.id = c.id
          AND (s.summary_json -> 'usage' IS NOT NULL OR s.summary_text LIKE '%"usage"%')
        LIMIT 1
      ) used ON true CROSS JOIN LATERAL jsonb_each(${objectOf(Prisma.sql`used.summary -> 'usage'`)}) u`,
  );
