import { Injectable } from '@nestjs/common';
import { Database, Prisma } from '@hone/database';

import { LEASE_SECONDS, type BucketMove, type Grant, type GrantRequest, type GrantSource } from './grants.js';
import { type Limits, type Subject, subjectKey } from './limits.js';

/** Its messages are subjects whose limits changed: `<scope>/<id>`. */
export const LIMITS_CHANNEL = 'hone_usage_limits';

interface LimitsRow {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  concurrentRequests: number | null;
  monthlyBudgetNanoUsd: bigint | null;
}

interface GrantRow extends LimitsRow {
  requests: number;
  requestLevel: number | null;
  tokens: number;
  tokenLevel: number | null;
  slots: number;
  budget: number;
}

@Injectable()
export class LimitsRepository implements GrantSource {
  constructor(private readonly database: Database) {}

  /** The limits of each, in order; null: it has none. */
  async findAll(subjects: readonly Subject[]): Promise<(Limits | null)[]> {
    const wanted = subjects.map(({ scope, id }) => Prisma.sql`(${scope}, ${id}::uuid)`);
    const rows = await this.database.client.$queryRaw<(LimitsRow & Subject)[]>`
      SELECT scope, subject_id AS id, ${LIMITS} FROM usage_limits l WHERE (scope, subject_id) IN (${Prisma.join(wanted)})`;
    const found = new Map(rows.map((row) => [subjectKey(row), toLimits(row)]));
    return subjects.map((subject) => found.get(subjectKey(subject)) ?? null);
  }

  /** Sets all limits of a subject. Every process goes by them within a second; levels stay what they are. */
  async put({ scope, id }: Subject, limits: Limits): Promise<void> {
    const { requestsPerMinute, tokensPerMinute, concurrentRequests, monthlyBudgetNanoUsd } = limits;
    await this.database.transaction(async () => {
      await this.database.client.$executeRaw`
        INSERT INTO usage_limits (scope, subject_id, requests_per_minute, tokens_per_minute, concurrent_requests,
          monthly_budget_nano_usd)
        VALUES (${scope}, ${id}::uuid, ${requestsPerMinute}::int, ${tokensPerMinute}::int, ${concurrentRequests}::int,
          ${monthlyBudgetNanoUsd}::bigint)
        ON CONFLICT (scope, subject_id) DO UPDATE SET requests_per_minute = EXCLUDED.requests_per_minute,
          tokens_per_minute = EXCLUDED.tokens_per_minute, concurrent_requests = EXCLUDED.concurrent_requests,
          monthly_budget_nano_usd = EXCLUDED.monthly_budget_nano_usd`;
      await this.database.notify(LIMITS_CHANNEL, subjectKey({ scope, id }));
    });
  }

  /**
   * One statement, which locks one row: it refills the buckets by the database's clock, takes back what was unused,
   * and grants what there is, never more. Its row is read under the lock, so that a statement that had to wait counts
   * with what the one before it left.
   */
  async exchange({ scope, id }: Subject, holder: string, request: GrantRequest): Promise<Grant | null> {
    const { requests, tokens, slots, budget } = request;
    const [row] = await this.database.client.$queryRaw<GrantRow[]>`
      WITH locked AS MATERIALIZED (
        SELECT * FROM usage_limits WHERE scope = ${scope} AND subject_id = ${id}::uuid FOR UPDATE
      ), timed AS MATERIALIZED (
        SELECT *, greatest(clock_timestamp(), refilled_at) AS now FROM locked
      ), refilled AS (
        SELECT *, ${refilled('request_level', 'requests_per_minute', requests)} AS request_now,
          ${refilled('token_level', 'tokens_per_minute', tokens)} AS token_now,
          concurrent_requests - ${leasedToOthers('slot_leases', holder)} AS slots_left,
          monthly_budget_nano_usd - ${leasedToOthers('budget_leases', holder)} - ${SPENT} AS budget_left
        FROM timed
      ), granted AS (
        SELECT *, least(${requests.want}::float8, greatest(0, floor(request_now))) AS requests,
          least(${tokens.want}::float8, greatest(0, floor(token_now))) AS tokens,
          greatest(${slots.inUse}::float8, least(${slots.hold}::float8, slots_left)) AS slots,
          greatest(${budget.inUse}::float8, least(${budget.hold}::float8, budget_left)) AS budget
        FROM refilled
      )
      UPDATE usage_limits l SET refilled_at = g.now, request_level = g.request_now - g.requests,
        token_level = g.token_now - g.tokens, slot_leases = ${withLease('slot_leases', 'slots', holder)},
        budget_leases = ${withLease('budget_leases', 'budget', holder)}
      FROM granted g WHERE l.scope = g.scope AND l.subject_id = g.subject_id
      RETURNING g.requests, l.request_level AS "requestLevel", g.tokens, l.token_level AS "tokenLevel", g.slots, g.budget,
        ${LIMITS}`;
    return row ? toGrant(row) : null;
  }
}

const LIMITS = Prisma.sql`l.requests_per_minute AS "requestsPerMinute", l.tokens_per_minute AS "tokensPerMinute",
  l.concurrent_requests AS "concurrentRequests", l.monthly_budget_nano_usd AS "monthlyBudgetNanoUsd"`;

/** Of the month that it is, by the sums that the usage records are written with. */
const SPENT = Prisma.sql`coalesce((SELECT m.cost_nano_usd FROM usage_months m WHERE m.scope = timed.scope
  AND m.subject_id = timed.subject_id AND m.month = date_trunc('month', now AT TIME ZONE 'UTC')::date), 0)`;

/** Null without a limit: such a bucket has no level. */
function refilled(level: string, limit: string, { back }: BucketMove): Prisma.Sql {
  const [levelColumn, limitColumn] = [Prisma.raw(level), Prisma.raw(limit)];
  return Prisma.sql`least(${limitColumn}::float8, coalesce(${levelColumn}, ${limitColumn}) + ${back}::float8
    + ${limitColumn} * extract(epoch FROM now - coalesce(refilled_at, now))::float8 / 60)`;
}

const leasedToOthers = (leases: string, holder: string): Prisma.Sql => Prisma.sql`(
  SELECT coalesce(sum((lease.value->>0)::float8), 0) FROM jsonb_each(${Prisma.raw(leases)}) lease
  WHERE lease.key <> ${holder} AND (lease.value->>1)::float8 > extract(epoch FROM now))`;

/** The leases of others that have not ended, and ours from now on. */
function withLease(leases: string, amount: string, holder: string): Prisma.Sql {
  const [leasesColumn, amountColumn] = [Prisma.raw(`g.${leases}`), Prisma.raw(`g.${amount}`)];
  const own = Prisma.sql`jsonb_build_object(${holder}::text,
    jsonb_build_array(${amountColumn}, extract(epoch FROM g.now) + ${LEASE_SECONDS}::int))`;
  return Prisma.sql`(
    SELECT coalesce(jsonb_object_agg(lease.key, lease.value), '{}') FROM jsonb_each(${leasesColumn}) lease
    WHERE lease.key <> ${holder} AND (lease.value->>1)::float8 > extract(epoch FROM g.now)
  ) || CASE WHEN ${amountColumn} > 0 THEN ${own} ELSE '{}' END`;
}

const toLimits = ({ monthlyBudgetNanoUsd, ...row }: LimitsRow): Limits => ({
  requestsPerMinute: row.requestsPerMinute,
  tokensPerMinute: row.tokensPerMinute,
  concurrentRequests: row.concurrentRequests,
  monthlyBudgetNanoUsd: monthlyBudgetNanoUsd === null ? null : Number(monthlyBudgetNanoUsd),
});

const toGrant = (row: GrantRow): Grant => ({
  limits: toLimits(row),
  requests: { granted: row.requests, level: row.requestLevel ?? 0 },
  tokens: { granted: row.tokens, level: row.tokenLevel ?? 0 },
  slots: row.slots,
  budget: row.budget,
});
