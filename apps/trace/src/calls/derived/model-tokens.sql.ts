import { BESIDE_INPUT, COUNT_NAMES } from '@hone/calls';
import { Prisma } from '@hone/database';

/** Of a table of calls `c`: the counts of its columns, by the names that they have here. */
const OF_COLUMNS = Prisma.sql`c.requests, c.prompt_tokens AS prompt, c.completion_tokens AS completion, c.total_tokens AS total,
  c.cached_tokens AS cached, c.cache_write_tokens AS written, c.reasoning_tokens AS reasoning`;

const count = (name: keyof typeof COUNT_NAMES): Prisma.Sql =>
  Prisma.sql`coalesce(${Prisma.join(COUNT_NAMES[name].map((path) => Prisma.sql`hone_count(u.value #> ${path.split('.')}::text[])`))})`;

const objectOf = (json: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(CASE jsonb_typeof(${json}) WHEN 'object' THEN ${json} ELSE '{}'::jsonb END)`;

const numberOf = (name: string): Prisma.Sql =>
  Prisma.sql`(CASE jsonb_typeof(u.value -> ${name}) WHEN 'number' THEN (u.value -> ${name})::numeric END)`;

/**
 * The counts that a summary has of each model, read as `readTokenUsage` does, whose names these are. A call whose summary
 * counts more calls than itself sums its descendants, which are counted themselves.
 */
const SENT = Prisma.sql`
  SELECT u.key AS model, u.place, coalesce(${numberOf('requests')}, 0) AS requests, ${count('prompt')} AS sent_prompt,
    coalesce(${count('completion')}, 0) AS completion, ${count('total')} AS sent_total, ${count('cached')} AS cached,
    ${count('written')} AS written, ${count('reasoning')} AS reasoning,
    (NOT u.value ? 'prompt_tokens' AND u.value ?| ${[...BESIDE_INPUT]}::text[]) AS is_beside
  FROM (
    SELECT coalesce(s.summary_json, s.summary_text::jsonb) AS summary FROM call_values s
    WHERE s.project_id = c.project_id AND s.id = c.id
      AND (s.summary_json -> 'usage' IS NOT NULL OR s.summary_text LIKE '%"usage"%')
    LIMIT 1
  ) used CROSS JOIN LATERAL jsonb_each(${objectOf(Prisma.sql`used.summary -> 'usage'`)}) WITH ORDINALITY u (key, value, place)
  WHERE jsonb_typeof(u.value) = 'object'
    AND (used.summary -> 'status_counts' IS NULL OR coalesce((
      SELECT sum(n.value::numeric) FROM jsonb_each(${objectOf(Prisma.sql`used.summary -> 'status_counts'`)}) n
      WHERE jsonb_typeof(n.value) = 'number'), 0) <= 1)`;

/** The same as what the columns have of it. */
const OF_SUMMARY = Prisma.sql`
  SELECT model, place, requests, prompt, completion, total, CASE WHEN cached IS NOT NULL THEN least(cached, prompt) END AS cached,
    CASE WHEN written IS NOT NULL THEN least(written, prompt - least(coalesce(cached, 0), prompt)) END AS written,
    CASE WHEN reasoning IS NOT NULL THEN least(reasoning, completion) END AS reasoning
  FROM (
    SELECT *, CASE WHEN is_additive THEN greatest(sent_total, prompt + completion) ELSE coalesce(sent_total, prompt + completion) END AS total
    FROM (
      SELECT *, coalesce(sent_prompt, 0) + CASE WHEN is_additive THEN from_cache ELSE 0 END AS prompt
      FROM (
        SELECT *, (is_beside AND sent_total IS DISTINCT FROM coalesce(sent_prompt, 0) + completion) OR coalesce(from_cache > sent_prompt, false) AS is_additive
        FROM (SELECT *, coalesce(cached, 0) + coalesce(written, 0) AS from_cache FROM (${SENT}) sent) summed
      ) told
    ) whole
  ) counted`;

/**
 * A subquery that gives a row for each model that a call `c` used tokens of: `model`, `place` (1: the first of the call),
 * `requests`, `prompt`, `completion`, `total`, `cached`, `written`, `reasoning`. Calls whose columns are not derived of
 * their values yet have their summaries parsed.
 */
export const MODEL_TOKENS = Prisma.sql`(
  SELECT c.model, 1 AS place, ${OF_COLUMNS} WHERE c.model IS NOT NULL
  UNION ALL
  SELECT m.mo, 1 + row_number() OVER (), m.rq, m.pt, m.ct, m.tt, m.ca, m.cw, m.rt
  FROM jsonb_to_recordset(c.usage_by_model)
    AS m (mo text, rq float8, pt float8, ct float8, tt float8, ca float8, cw float8, rt float8)
  WHERE c.usage_by_model IS NOT NULL
  UNION ALL
  SELECT * FROM (${OF_SUMMARY}) parsed WHERE c.ended_at IS NOT NULL AND NOT c.is_end_derived)`;
