import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { BUDGETS } from './budgets.sql.js';
import {
  type BucketMove,
  type BudgetGrant,
  type Grant,
  type GrantRequest,
  type GrantSource,
  HOLD_TTL_SECONDS,
} from './grants.js';
import { type Limits, type ModelBudget, type Subject, subjectKey } from './limits.js';

/** Notification channel: each message names a subject whose limits changed, `<scope>/<id>`. */
export const LIMITS_CHANNEL = 'hone_usage_limits';

interface LimitsRow {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  concurrentRequests: number | null;
  dailyBudgetNanoUsd: bigint | null;
  monthlyBudgetNanoUsd: bigint | null;
  modelBudgets: ModelBudget[];
}

interface GrantRow extends LimitsRow {
  requests: number;
  requestLevel: number | null;
  tokens: number;
  tokenLevel: number | null;
  slots: number;
  budgets: Record<string, BudgetGrant>;
}

@Injectable()
export class LimitsRepository implements GrantSource {
  constructor(private readonly database: Database) {}

  /** The limits of each subject, in order; null: it has none. */
  async findAll(subjects: readonly Subject[]): Promise<(Limits | null)[]> {
    const wanted = subjects.map(({ scope, id }) => Prisma.sql`(${scope}, ${id}::uuid)`);
    const rows = await this.database.client.$queryRaw<(LimitsRow & Subject)[]>`
      SELECT scope, subject_id AS id, ${LIMITS} FROM usage_limits l WHERE (scope, subject_id) IN (${Prisma.join(wanted)})`;
    const found = new Map(rows.map((row) => [subjectKey(row), toLimits(row)]));
    return subjects.map((subject) => found.get(subjectKey(subject)) ?? null);
  }

  /** Sets all limits of a subject. Every process applies them within a second; bucket levels do not change. */
  async put({ scope, id }: Subject, limits: Limits): Promise<void> {
    const { requestsPerMinute, tokensPerMinute, concurrentRequests, dailyBudgetNanoUsd, monthlyBudgetNanoUsd } = limits;
    const modelBudgets = JSON.stringify(limits.modelBudgets);
    await this.database.transaction(async () => {
      await this.database.client.$executeRaw`
        INSERT INTO usage_limits (scope, subject_id, requests_per_minute, tokens_per_minute, concurrent_requests,
          daily_budget_nano_usd, monthly_budget_nano_usd, model_budgets)
        VALUES (${scope}, ${id}::uuid, ${requestsPerMinute}::int, ${tokensPerMinute}::int, ${concurrentRequests}::int,
          ${dailyBudgetNanoUsd}::bigint, ${monthlyBudgetNanoUsd}::bigint, ${modelBudgets}::jsonb)
        ON CONFLICT (scope, subject_id) DO UPDATE SET requests_per_minute = EXCLUDED.requests_per_minute,
          tokens_per_minute = EXCLUDED.tokens_per_minute, concurrent_requests = EXCLUDED.concurrent_requests,
          daily_budget_nano_usd = EXCLUDED.daily_budget_nano_usd, monthly_budget_nano_usd = EXCLUDED.monthly_budget_nano_usd,
          model_budgets = EXCLUDED.model_budgets`;
      await this.database.notify(LIMITS_CHANNEL, subjectKey({ scope, id }));
    });
  }

  /**
   * Exchanges grants in one statement that locks one row: it refills the token buckets by the database's clock, takes
   * back unused tokens, and grants at most what is left. The statement reads the row under the lock, so a statement
   * that waited sees what the previous one left.
   */
  async exchange({ scope, id }: Subject, holder: string, request: GrantRequest): Promise<Grant | null> {
    const { requests, tokens, slots, budgets } = request;
    const [row] = await this.database.client.$queryRaw<GrantRow[]>`
      WITH locked AS MATERIALIZED (
        SELECT * FROM usage_limits WHERE scope = ${scope} AND subject_id = ${id}::uuid FOR UPDATE
      ), timed AS MATERIALIZED (
        SELECT *, greatest(clock_timestamp(), refilled_at) AS now FROM locked
      ), budgets AS MATERIALIZED (
        SELECT b.name, b.leases, b.now, b.spent, greatest(coalesce(wanted."inUse", 0),
            least(coalesce(wanted.hold, 0), b.nano_usd - ${heldByOthers('b.leases', holder)} - b.spent)) AS held
        FROM (${BUDGETS}) AS b
          LEFT JOIN LATERAL jsonb_to_record(${JSON.stringify(budgets)}::jsonb->b.name) AS wanted (hold float8, "inUse" float8) ON true
      ), reserved AS (
        SELECT jsonb_object_agg(name, jsonb_build_object('held', held, 'spent', spent)) AS budgets,
          jsonb_object_agg(name, ${withHold('leases', 'held', holder)}) AS leases
        FROM budgets g
      ), refilled AS (
        SELECT *, ${refilled('request_level', 'requests_per_minute', requests)} AS request_now,
          ${refilled('token_level', 'tokens_per_minute', tokens)} AS token_now,
          concurrent_requests - ${heldByOthers('slot_leases', holder)} AS slots_left
        FROM timed
      ), granted AS (
        SELECT *, least(${requests.want}::float8, greatest(0, floor(request_now))) AS requests,
          least(${tokens.want}::float8, greatest(0, floor(token_now))) AS tokens,
          greatest(${slots.inUse}::float8, least(${slots.hold}::float8, slots_left)) AS slots
        FROM refilled
      )
      UPDATE usage_limits l SET refilled_at = g.now, request_level = g.request_now - g.requests,
        token_level = g.token_now - g.tokens, slot_leases = ${withHold('slot_leases', 'slots', holder)},
        budget_leases = r.leases->'month', further_leases = r.leases - 'month'
      FROM granted g, reserved r WHERE l.scope = g.scope AND l.subject_id = g.subject_id
      RETURNING g.requests, l.request_level AS "requestLevel", g.tokens, l.token_level AS "tokenLevel", g.slots, r.budgets,
        ${LIMITS}`;
    return row ? toGrant(row) : null;
  }
}

const LIMITS = Prisma.sql`l.requests_per_minute AS "requestsPerMinute", l.tokens_per_minute AS "tokensPerMinute",
  l.concurrent_requests AS "concurrentRequests", l.daily_budget_nano_usd AS "dailyBudgetNanoUsd",
  l.monthly_budget_nano_usd AS "monthlyBudgetNanoUsd", l.model_budgets AS "modelBudgets"`;

/** Null without a limit: such a bucket has no level. */
function refilled(level: string, limit: string, { back }: BucketMove): Prisma.Sql {
  const [levelColumn, limitColumn] = [Prisma.raw(level), Prisma.raw(limit)];
  return Prisma.sql`least(${limitColumn}::float8, coalesce(${levelColumn}, ${limitColumn}) + ${back}::float8
    + ${limitColumn} * extract(epoch FROM now - coalesce(refilled_at, now))::float8 / 60)`;
}

const heldByOthers = (holds: string, holder: string): Prisma.Sql => Prisma.sql`(
  SELECT coalesce(sum((held.value->>0)::float8), 0) FROM jsonb_each(${Prisma.raw(holds)}) held
  WHERE held.key <> ${holder} AND (held.value->>1)::float8 > extract(epoch FROM now))`;

/** The unexpired holds of other processes, and the new hold of this one. */
function withHold(holds: string, amount: string, holder: string): Prisma.Sql {
  const [holdsColumn, amountColumn] = [Prisma.raw(`g.${holds}`), Prisma.raw(`g.${amount}`)];
  const own = Prisma.sql`jsonb_build_object(${holder}::text,
    jsonb_build_array(${amountColumn}, extract(epoch FROM g.now) + ${HOLD_TTL_SECONDS}::int))`;
  return Prisma.sql`(
    SELECT coalesce(jsonb_object_agg(held.key, held.value), '{}') FROM jsonb_each(${holdsColumn}) held
    WHERE held.key <> ${holder} AND (held.value->>1)::float8 > extract(epoch FROM g.now)
  ) || CASE WHEN ${amountColumn} > 0 THEN ${own} ELSE '{}' END`;
}

const toLimits = (row: LimitsRow): Limits => ({
  requestsPerMinute: row.requestsPerMinute,
  tokensPerMinute: row.tokensPerMinute,
  concurrentRequests: row.concurrentRequests,
  dailyBudgetNanoUsd: numberOrNull(row.dailyBudgetNanoUsd),
  monthlyBudgetNanoUsd: numberOrNull(row.monthlyBudgetNanoUsd),
  modelBudgets: row.modelBudgets,
});

const numberOrNull = (amount: bigint | null): number | null => (amount === null ? null : Number(amount));

const toGrant = (row: GrantRow): Grant => ({
  limits: toLimits(row),
  requests: { granted: row.requests, level: row.requestLevel ?? 0 },
  tokens: { granted: row.tokens, level: row.tokenLevel ?? 0 },
  slots: row.slots,
  budgets: row.budgets,
});
