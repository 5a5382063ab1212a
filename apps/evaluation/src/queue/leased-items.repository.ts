import { Database, Prisma } from '@hone/database';

import type { Claim, LeasedJob, Settlement } from './claim.record.js';

const LEASE_SECONDS = 30;
/** Items at once whose costs are looked for. */
const COST_BATCH = 500;
/** Settled items whose mean cost says what further ones will cost. */
const MEAN_ITEMS = 1_000;
/** After so long no usage record of an item comes any more: a gateway delivers its journal when it starts again. */
const COST_CLOSED_MINUTES = 30;

interface Purse {
  spent: number;
  inFlight: number;
  /** What a settled item has cost, of those that cost anything; null: none has. */
  mean: number | null;
  settled: number;
}

/** An item in the order in which costs are looked for. Many are settled at one time. */
export interface CostCursor {
  readonly settledAt: Date;
  readonly uid: string;
}

/** What bounds a claim beside the budget. */
export interface ClaimOptions {
  /** Items of the job in flight at once, over all processes. Absent: as many as are claimed. */
  readonly mostInFlight?: number;
  /** Which items cost nothing, so that no budget holds them up. Absent: none. */
  readonly free?: Prisma.Sql;
}

/** The tables of jobs of one kind, and of their items. */
export interface LeasedTables {
  /** Of the jobs: `id, status, cost_nano_usd, finished_at`. */
  readonly jobs: Prisma.Sql;
  /** Of the items: `project_id, uid, state, attempt, failures, available_at, lease_expires_at, cost_nano_usd, …`. */
  readonly items: Prisma.Sql;
  /** Column of an item that names its job. */
  readonly job: Prisma.Sql;
  /** Column of type text that tells the items of a job apart; with `project_id` it begins a key of theirs. */
  readonly id: Prisma.Sql;
  /** What a claim says of its item `v` beside {@link Claim}: led by a comma. */
  readonly claimed?: Prisma.Sql;
  /** What a settlement says beside {@link Settlement}: columns of its JSON, led by a comma. */
  readonly sent?: Prisma.Sql;
  /** What becomes of the item by it: assignments from `sent`, led by a comma. */
  readonly assigned?: Prisma.Sql;
}

/**
 * Rows as a queue of work, in which a lease says who works on a row and a counter of attempts fences off who worked on it
 * before. An item is claimed before it costs anything, and settled with what is stored of it in one transaction.
 */
export abstract class LeasedItemsRepository<C extends Claim> {
  protected constructor(
    protected readonly database: Database,
    private readonly tables: LeasedTables,
  ) {}

  /**
   * Takes items that wait, or whose worker is gone. Claims for one job wait for each other, so that together they never
   * spend more than its budget beyond what is in flight.
   *
   * @param most items to take
   * @returns null: the budget is spent, and nothing is left that costs nothing
   */
  async claim(job: LeasedJob, most: number, { mostInFlight = Infinity, free }: ClaimOptions = {}): Promise<C[] | null> {
    return this.database.transaction(async () => {
      const locked = await this.database.client.$queryRaw<unknown[]>`
        SELECT FROM ${this.tables.jobs} WHERE id = ${job.id}::uuid AND status = 'running' FOR UPDATE`;
      if (locked.length === 0) return [];
      if (job.maxCostNanoUsd === null && mostInFlight === Infinity) return this.take(job.id, most);
      const purse = await this.purseOf(job);
      const room = Math.max(0, Math.min(most, mostInFlight - purse.inFlight));
      const paid = job.maxCostNanoUsd === null ? room : affordable(purse, job.maxCostNanoUsd, room);
      const taken = paid ? await this.take(job.id, paid) : [];
      if (free && taken.length < room) taken.push(...(await this.take(job.id, room - taken.length, free)));
      return paid === null && taken.length === 0 ? null : taken;
    });
  }

  /** The rows are chosen once, whatever plan Postgres has for the rest: a join might choose others each time. */
  private take(jobId: string, most: number, condition = Prisma.sql`true`): Promise<C[]> {
    const { items, job, id, claimed } = this.tables;
    return this.database.client.$queryRaw<C[]>`
      WITH due AS MATERIALIZED (
        SELECT project_id, ${id} AS id FROM ${items}
        WHERE ${job} = ${jobId}::uuid AND ${condition} AND ((state = 'pending' AND available_at <= now())
          OR (state = 'running' AND lease_expires_at < now()))
        ORDER BY available_at LIMIT ${most} FOR UPDATE SKIP LOCKED)
      UPDATE ${items} v SET state = 'running', attempt = v.attempt + 1, is_cost_open = v.is_cost_open OR v.state = 'running',
        lease_expires_at = now() + ${LEASE_SECONDS} * interval '1 second'
      FROM due WHERE v.project_id = due.project_id AND v.${id} = due.id AND v.${job} = ${jobId}::uuid
      RETURNING v.${id} AS id, v.uid, v.attempt, v.failures ${claimed ?? Prisma.empty}`;
  }

  /** Both counts are of index entries alone, so that a job of many items claims as fast as one of few. */
  private async purseOf(job: LeasedJob): Promise<Purse> {
    const { jobs, items, job: column } = this.tables;
    const ofJob = Prisma.sql`${items} v WHERE v.${column} = ${job.id}::uuid`;
    const [purse] = await this.database.client.$queryRaw<Purse[]>`
      SELECT cost_nano_usd::float8 AS spent,
        (SELECT count(*)::int FROM ${ofJob} AND v.state = 'running' AND v.lease_expires_at >= now()) AS "inFlight",
        judged.mean, judged.settled
      FROM ${jobs}, (SELECT avg(cost) FILTER (WHERE cost > 0)::float8 AS mean, count(*)::int AS settled FROM (
        SELECT v.cost_nano_usd AS cost FROM ${ofJob} AND v.state IN ('done', 'skipped', 'failed') LIMIT ${MEAN_ITEMS}) items) judged
      WHERE id = ${job.id}::uuid`;
    return purse as Purse;
  }

  /** Keeps claims. */
  async renew(jobId: string, claims: readonly Claim[]): Promise<void> {
    const { items, job, id } = this.tables;
    await this.database.client.$executeRaw`
      UPDATE ${items} v SET lease_expires_at = now() + ${LEASE_SECONDS} * interval '1 second'
      FROM ${listed(claims)}
      WHERE v.${job} = ${jobId}::uuid AND v.${id} = c.id AND v.attempt = c.attempt AND v.state = 'running'`;
  }

  /** Gives claims back: what their requests have cost is looked for once they are settled. */
  async release(jobId: string, claims: readonly Claim[]): Promise<void> {
    const { jobs, items, job, id } = this.tables;
    await this.database.client.$executeRaw`
      UPDATE ${items} v SET state = 'pending', lease_expires_at = NULL, is_cost_open = true, available_at = now() + interval '1 second'
      FROM ${listed(claims)}
      WHERE v.${job} = ${jobId}::uuid AND v.${id} = c.id AND v.attempt = c.attempt AND v.state = 'running'`;
    await this.database.client.$executeRaw`
      DELETE FROM ${items} v USING ${jobs} s WHERE s.id = v.${job} AND s.id = ${jobId}::uuid
        AND s.finished_at IS NOT NULL AND v.state = 'pending'`;
  }

  /**
   * Settles claims within a transaction, and books what they cost. A claim that another process has taken over changes
   * nothing.
   *
   * @returns ids of those that were settled
   */
  protected async settleClaims(job: LeasedJob, settlements: readonly Settlement[]): Promise<Set<string>> {
    const { jobs, items, job: column, id, sent, assigned } = this.tables;
    // The job before its items, as whoever ends it locks them.
    await this.database.client.$queryRaw`SELECT FROM ${jobs} WHERE id = ${job.id}::uuid FOR UPDATE`;
    const rows = JSON.stringify(settlements);
    const settled = await this.database.client.$queryRaw<{ id: string }[]>`
      WITH sent AS (
        SELECT * FROM json_to_recordset(${rows}::json) AS row (id text, attempt int, state text, code text,
          "costNanoUsd" bigint, "isCostOpen" boolean, "delayMs" int ${sent ?? Prisma.empty})
      ), settled AS (
        UPDATE ${items} v SET state = sent.state, code = sent.code, lease_expires_at = NULL,
          cost_nano_usd = v.cost_nano_usd + sent."costNanoUsd", is_cost_open = v.is_cost_open OR sent."isCostOpen",
          failures = v.failures + (sent.state = 'pending')::int,
          available_at = now() + sent."delayMs" * interval '1 millisecond',
          settled_at = CASE WHEN sent.state <> 'pending' THEN now() END ${assigned ?? Prisma.empty}
        FROM sent WHERE v.project_id = ${job.projectRowId}::uuid AND v.${id} = sent.id
          AND v.${column} = ${job.id}::uuid AND v.attempt = sent.attempt AND v.state = 'running'
        RETURNING v.${id} AS id, sent."costNanoUsd" AS cost
      ), booked AS (
        UPDATE ${jobs} SET cost_nano_usd = cost_nano_usd + (SELECT coalesce(sum(cost), 0) FROM settled)
        WHERE id = ${job.id}::uuid)
      SELECT id FROM settled`;
    return new Set(settled.map(({ id }) => id));
  }

  /** Gives up what a worker that is gone left of jobs that are over, so that another job may do it. */
  async deleteAbandoned(): Promise<void> {
    const { jobs, items, job } = this.tables;
    await this.database.client.$executeRaw`
      DELETE FROM ${items} v USING ${jobs} s WHERE s.id = v.${job} AND s.finished_at IS NOT NULL
        AND v.state = 'running' AND v.lease_expires_at < now()`;
  }

  /**
   * Costs of settled items some of whose requests had no answer here, from the usage records, which have all. The ids of an
   * item's requests begin with its uid. What another process looks at is left to it: to book both differences would count one
   * twice.
   *
   * @param after goes through them in the order in which they were settled; null: from the first one
   * @returns null: these were the last ones
   */
  async bookCosts(after: CostCursor | null): Promise<CostCursor | null> {
    const { jobs, items, job, id } = this.tables;
    const [booked] = await this.database.client.$queryRaw<CostCursor[]>(Prisma.sql`
      WITH open AS MATERIALIZED (
        SELECT * FROM ${items} WHERE is_cost_open AND settled_at < now() - interval '2 seconds'
          AND (settled_at, uid::text) > (${after?.settledAt ?? new Date(0)}, ${after?.uid ?? ''})
        ORDER BY settled_at, uid::text LIMIT ${COST_BATCH} FOR UPDATE SKIP LOCKED
      ), used AS (
        SELECT u.project_id, left(u.rid, 36) AS uid, sum(u.cost_nano_usd) AS cost FROM usage_records u
        WHERE u.project_id IN (SELECT project_id FROM open) AND u.day >= (SELECT min(created_at)::date FROM open)
          AND u.started_at >= (SELECT min(created_at) FROM open) AND substr(u.rid, 37, 1) = '.' GROUP BY 1, 2
      ), booked AS (
        UPDATE ${items} v SET cost_nano_usd = greatest(v.cost_nano_usd, coalesce(used.cost, 0)),
          is_cost_open = v.settled_at > now() - ${COST_CLOSED_MINUTES} * interval '1 minute'
        FROM open LEFT JOIN used ON used.project_id = open.project_id AND used.uid = open.uid::text
        WHERE v.project_id = open.project_id AND v.${id} = open.${id} AND v.${job} = open.${job}
        RETURNING v.${job} AS job, v.cost_nano_usd - open.cost_nano_usd AS more
      ), summed AS (
        UPDATE ${jobs} s SET cost_nano_usd = s.cost_nano_usd + b.more
        FROM (SELECT job, sum(more) AS more FROM booked GROUP BY 1) b WHERE s.id = b.job AND b.more <> 0)
      SELECT settled_at AS "settledAt", uid::text AS uid FROM open ORDER BY settled_at, uid::text OFFSET ${COST_BATCH - 1}`);
    return booked ?? null;
  }
}

/**
 * How many items the rest of the budget pays for, by what one has cost so far.
 *
 * @param room as many as may be taken whatever they cost
 * @returns null: none, and none is in flight
 */
function affordable({ spent, inFlight, mean, settled }: Purse, budget: number, room: number): number | null {
  const left = budget - spent;
  if (left <= 0) return inFlight === 0 ? null : 0;
  // What nothing has cost anything of yet may cost something later: twice as many each time.
  const most = mean === null ? settled : Math.floor(left / mean);
  return Math.min(room, Math.max(inFlight === 0 ? 1 : 0, most - inFlight));
}

/** Claims as rows `c (id, attempt)`. */
const listed = (claims: readonly Claim[]): Prisma.Sql => Prisma.sql`
  unnest(${claims.map(({ id }) => id)}::text[], ${claims.map(({ attempt }) => attempt)}::int[]) AS c (id, attempt)`;
