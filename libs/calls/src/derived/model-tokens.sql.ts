import { Prisma } from '@hone/database';

/** Of a table of calls `c`: the counts of its columns, by the names that they have here. */
const OF_COLUMNS = Prisma.sql`c.requests, c.prompt_tokens AS prompt, c.completion_tokens AS completion, c.total_tokens AS total,
  c.cached_tokens AS cached, c.cache_write_tokens AS written, c.reasoning_tokens AS reasoning`;

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
  SELECT * FROM hone_summary_tokens(c.project_id, c.id) WHERE c.ended_at IS NOT NULL AND NOT c.is_end_derived)`;
