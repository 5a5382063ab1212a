import { Prisma } from '@hone/database';

/**
 * Assignments by which the late costs of a retried item are looked for among its new requests alone. They change nothing while
 * costs of earlier attempts are still looked for.
 */
export const COSTS_SINCE_NOW = Prisma.sql`retried_at = CASE WHEN is_cost_open THEN retried_at ELSE now() END,
  attempts_before = CASE WHEN is_cost_open THEN attempts_before ELSE attempt END,
  cost_before_nano_usd = CASE WHEN is_cost_open THEN cost_before_nano_usd ELSE cost_nano_usd END`;
