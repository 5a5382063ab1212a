import { Database, Prisma } from '@hone/database';

import type { EvaluationMetrics } from '../telemetry/evaluation-metrics.js';
import type { Claim, LeasedJob, Settlement } from './claim.record.js';
import type { LeasedTables } from './leased-tables.sql.js';
import { OpenCosts } from './open-costs.repository.js';

const LEASE_SECONDS = 30;
/** Settled items whose mean cost says what further ones will cost. */
const MEAN_ITEMS = 1_000;

interface Purse {
  spent: number;
  inFlight: number;
  /** Attempts that failed, or were killed, and may have cost something that is not known yet. */
  awaited: number;
  /** Items whose worker is gone: each becomes an awaited attempt when it is claimed. */
  abandoned: number;
  /** What a settled item has cost, of those that cost anything; null: none has. */
  mean: number | null;
  settled: number;
}

/** What bounds a claim beside the budget. */
export interface ClaimOptions {
  /** Items of the job in flight at once, over all processes. Absent: as many as are claimed. */
  readonly mostInFlight?: number;
  /** Which items cost nothing, so that no budget holds them up. Absent: none. */
  readonly free?: Prisma.Sql;
}

/**
 * Rows as a queue of work, in which a lease says who works on a row and a counter of attempts fences off who worked on it
 * before. An item is claimed before it costs anything, and settled with what is stored of it in one transaction.
 */
export abstract class LeasedItemsRepository<C extends Claim> {
  private readonly costs: OpenCosts;

  protected constructor(
    protected readonly database: Database,
    private readonly tables: LeasedTables,
    private readonly metrics: EvaluationMetrics,
  ) {
    this.costs = new OpenCosts(database, tables, metrics);
  }

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

  /** The counts are of index entries alone, so that a job of many items claims as fast as one of few. */
  private async purseOf(job: LeasedJob): Promise<Purse> {
    const { jobs, items, job: column } = this.tables;
    const ofJob = Prisma.sql`${items} v WHERE v.${column} = ${job.id}::uuid`;
    const [purse] = await this.database.client.$queryRaw<Purse[]>`
      SELECT cost_nano_usd::float8 AS spent,
        (SELECT count(*)::int FROM ${ofJob} AND v.state = 'running' AND v.lease_expires_at >= now()) AS "inFlight",
        (SELECT count(*)::int FROM ${ofJob} AND v.state = 'running' AND v.lease_expires_at < now()) AS abandoned,
        (SELECT coalesce(sum(cardinality(o.awaited_attempts)), 0)::int FROM open_costs o
          WHERE o.job_id = ${job.id}::uuid AND o.awaited_attempts <> '{}') AS awaited,
        judged.mean, judged.settled
      FROM ${jobs}, (SELECT avg(cost) FILTER (WHERE cost > 0)::float8 AS mean, count(*)::int AS settled FROM (
        SELECT v.cost_nano_usd AS cost FROM ${ofJob} AND v.state IN ('done', 'skipped', 'failed') LIMIT ${MEAN_ITEMS}) items) judged
      WHERE id = ${job.id}::uuid`;
    return purse as Purse;
  }

  /** Keeps claims. Those that somebody else has locked are renewed the next time, or are being settled, or are lost. */
  async renew(jobId: string, claims: readonly Claim[]): Promise<void> {
    const { items, job, id } = this.tables;
    await this.database.client.$executeRaw`
      WITH own AS MATERIALIZED (
        SELECT v.project_id, v.${id} AS id, v.attempt FROM ${items} v JOIN ${listed(claims)} ON c.id = v.${id} AND c.attempt = v.attempt
        WHERE v.${job} = ${jobId}::uuid AND v.state = 'running' FOR UPDATE OF v SKIP LOCKED)
      UPDATE ${items} v SET lease_expires_at = now() + ${LEASE_SECONDS} * interval '1 second'
      FROM own WHERE v.project_id = own.project_id AND v.${id} = own.id AND v.${job} = ${jobId}::uuid
        AND v.attempt = own.attempt AND v.state = 'running'`;
  }

  /** Gives claims back: what their requests have cost is looked for. */
  async release(jobId: string, claims: readonly Claim[]): Promise<void> {
    const { jobs, items, job, id } = this.tables;
    await this.database.transaction(async () => {
      await this.lockJob(jobId);
      await this.lockItems(jobId, claims);
      await this.database.client.$executeRaw`
        UPDATE ${items} v SET state = 'pending', lease_expires_at = NULL, is_cost_open = true, available_at = now() + interval '1 second'
        FROM ${listed(claims)}
        WHERE v.${job} = ${jobId}::uuid AND v.${id} = c.id AND v.attempt = c.attempt AND v.state = 'running'`;
      await this.database.client.$executeRaw`
        DELETE FROM ${items} v USING ${jobs} s WHERE s.id = v.${job} AND s.id = ${jobId}::uuid
          AND s.finished_at IS NOT NULL AND v.state = 'pending'`;
    });
  }

  /** The job before its items, and these in the order of their ids, as everywhere: so nobody deadlocks. */
  private async lockJob(jobId: string): Promise<void> {
    await this.database.client.$queryRaw`SELECT FROM ${this.tables.jobs} WHERE id = ${jobId}::uuid FOR UPDATE`;
  }

  private async lockItems(jobId: string, ofIds: readonly { readonly id: string }[]): Promise<void> {
    const { items, job, id } = this.tables;
    await this.database.client.$queryRaw`
      SELECT FROM ${items} v WHERE v.${job} = ${jobId}::uuid AND v.state = 'running'
        AND v.${id} = ANY(${ofIds.map((one) => one.id)}::text[]) ORDER BY v.${id} FOR UPDATE`;
  }

  /**
   * Settles claims within a transaction, and books what they cost. A claim that another process has taken over changes
   * nothing.
   *
   * @returns ids of those that were settled
   */
  protected async settleClaims(job: LeasedJob, settlements: readonly Settlement[]): Promise<Set<string>> {
    const { jobs, items, job: column, id, sent, assigned } = this.tables;
    await this.lockJob(job.id);
    await this.lockItems(job.id, settlements);
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
    const ids = new Set(settled.map(({ id }) => id));
    await this.database.afterCommit(() => this.count(settlements.filter(({ id }) => ids.has(id))));
    return ids;
  }

  /** In the metrics. */
  private count(settled: readonly Settlement[]): void {
    const { kind } = this.tables;
    for (const { state } of settled) this.metrics.settled(kind, state);
    this.metrics.booked(
      kind,
      settled.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0),
    );
  }

  /** Gives up what a worker that is gone left of jobs that are over, so that another job may do it. */
  async deleteAbandoned(): Promise<void> {
    const { jobs, items, job } = this.tables;
    await this.database.client.$executeRaw`
      WITH left_over AS MATERIALIZED (
        SELECT v.project_id, v.uid FROM ${items} v JOIN ${jobs} s ON s.id = v.${job} AND s.finished_at IS NOT NULL
        WHERE v.state = 'running' AND v.lease_expires_at < now() FOR UPDATE OF v SKIP LOCKED)
      DELETE FROM ${items} v USING left_over l WHERE v.project_id = l.project_id AND v.uid = l.uid AND v.state = 'running'
        AND v.lease_expires_at < now()`;
  }

  /** {@link OpenCosts.book} */
  bookCosts(): Promise<boolean> {
    return this.costs.book();
  }
}

/**
 * How many items the rest of the budget pays for, by what one has cost so far.
 *
 * @param room as many as may be taken whatever they cost
 * @returns null: none, and none is in flight or awaited
 */
function affordable(purse: Purse, budget: number, room: number): number | null {
  const { spent, mean, settled } = purse;
  const inFlight = purse.inFlight + purse.awaited;
  const left = budget - spent;
  if (left <= 0) return inFlight === 0 ? null : 0;
  // What nothing has cost anything of yet may cost something later: twice as many each time.
  const most = mean === null ? settled : Math.floor(left / mean);
  return Math.min(room, Math.max(inFlight === 0 ? 1 : 0, most - inFlight - purse.abandoned));
}

/** Claims as rows `c (id, attempt)`. */
const listed = (claims: readonly Claim[]): Prisma.Sql => Prisma.sql`
  unnest(${claims.map(({ id }) => id)}::text[], ${claims.map(({ attempt }) => attempt)}::int[]) AS c (id, attempt)`;
