import type { TestDatabase } from '@hone/testing';

/** Columns of `calls` that are derived of values. */
export const DERIVED_COLUMNS = [
  ...[
    'input_preview',
    'output_preview',
    'end_user',
    'prompt_ref',
    'checkpoint_id',
    'first_token_ms',
    'model',
    'requests',
  ],
  ...['prompt_tokens', 'completion_tokens', 'total_tokens', 'cached_tokens', 'cache_write_tokens', 'reasoning_tokens'],
  'usage_by_model',
];

/** Leaves calls as a version before wrote them, which did not derive anything. @param condition of SQL: which calls */
export const forgetDerived = (sql: TestDatabase['sql'], condition = 'true') =>
  sql(
    `UPDATE calls SET is_start_derived = false, is_end_derived = false, ${DERIVED_COLUMNS.map((name) => `${name} = NULL`).join(', ')}
     WHERE ${condition}`,
  );
