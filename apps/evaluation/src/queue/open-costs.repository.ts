import { Database, Prisma } from '@hone/database';
import { Logger } from '@nestjs/common';

import type { EvaluationMetrics } from '../telemetry/evaluation-metrics.js';
import { usageOf } from './item-usage.sql.js';
import type { LeasedTables } from './leased-tables.sql.js';

/** Items at once whose costs are looked for. */
const BATCH = 500;
/** After so long no usage record of an item comes any more: a gateway delivers its journal when it starts again. */
const CLOSED_MINUTES = 30;
/** So long the budget of a job waits for the cost of an attempt: a gateway stores what it has answered within seconds. */
const AWAITED_SECONDS = 20;
/** So long the late costs of a job wait that could not be booked. */
const FAULT_SECONDS = 30;

interface DueCost {
  readonly uid: string;
  readonly projectRowId: string;
  readonly jobId: string;
  readonly itemId: string;
  readonly createdAt: Date;
}

/** What requests of one attempt at an item have cost. */
interface UsedCost {
  readonly uid: string;
  readonly attempt: string;
  readonly cost: number;
}

interface OpenCost {
  readonly uid: string;
  /** What an item had cost when it was deleted; null: it is there. */
  readonly booked: number | null;
  /** Attempts whose requests are not looked for, and what they cost. */
  readonly attemptsBefore: number;
  readonly costBefore: number;
}

interface Item {
  readonly uid: string;
  readonly cost: number;
  /** Attempt that is being worked on, whose cost is booked when it is settled; null: none is. */
  readonly running: number | null;
}

/** What is to be added to the cost of an item. */
interface More {
  readonly uid: string;
  readonly itemId: string;
  readonly more: number;
}

/**
 * Costs of items some of whose requests had no answer here: their process was killed, the gateway was late, or the item was
 * deleted meanwhile. The usage records have all requests; the ids of an item's requests begin with its uid.
 *
 * Rows are locked in the order job, items, open costs, as everywhere. The usage records are read before: what is settled between
 * is then missing in them at worst, so that less is booked than could be, and the rest at the next look.
 */
export class OpenCosts {
  private readonly logger = new Logger(OpenCosts.name);

  constructor(
    private readonly database: Database,
    private readonly tables: LeasedTables,
    private readonly metrics: EvaluationMetrics,
  ) {}

  /** Looks for some that are due. @returns whether there may be more */
  async book(): Promise<boolean> {
    const due = await this.database.client.$queryRaw<DueCost[]>`
      SELECT uid, project_id AS "projectRowId", job_id AS "jobId", item_id AS "itemId", created_at AS "createdAt" FROM open_costs
      WHERE kind = ${this.tables.kind} AND look_at <= now() ORDER BY look_at LIMIT ${BATCH}`;
    for (const [jobId, some] of groupedBy(due, (one) => one.jobId)) await this.tryToBook(jobId, some);
    return due.length === BATCH;
  }

  /** The costs of a job that cannot be booked wait, and hold up no other job. */
  private async tryToBook(jobId: string, due: readonly DueCost[]): Promise<void> {
    try {
      // Before any lock: reading it may take long. Costs that are settled meanwhile are found at the next look.
      const used = await this.used(due);
      await this.database.transaction(() => this.bookOf(jobId, due, used));
    } catch (error) {
      this.logger.error(error, `Job ${jobId}: its late costs could not be booked, and are looked for again.`);
      await this.database.client.$executeRaw`
        UPDATE open_costs SET look_at = now() + ${FAULT_SECONDS} * interval '1 second'
        WHERE kind = ${this.tables.kind} AND job_id = ${jobId}::uuid AND uid = ANY(${due.map(({ uid }) => uid)}::text[])`;
    }
  }

  private async bookOf(
    jobId: string,
    due: readonly DueCost[],
    used: ReadonlyMap<string, readonly UsedCost[]>,
  ): Promise<void> {
    const projectRowId = await this.lockJob(jobId);
    if (projectRowId === null) return this.forget(jobId);
    const items = await this.lockItems(projectRowId, jobId, due);
    const open = await this.lockOpen(projectRowId, due);
    const mores = due.flatMap(({ uid, itemId }): More[] => {
      const cost = open.get(uid);
      const more = cost === undefined ? 0 : missingOf(cost, items.get(uid), used.get(uid) ?? []);
      return more > 0 ? [{ uid, itemId, more }] : [];
    });
    if (mores.length > 0) await this.add(projectRowId, jobId, mores);
    await this.postpone(projectRowId, [...open.values()], used);
    await this.close(projectRowId, jobId, due);
  }

  /** @returns its project; null: there is no such job any more */
  private async lockJob(jobId: string): Promise<string | null> {
    const [job] = await this.database.client.$queryRaw<{ projectRowId: string }[]>`
      SELECT project_id AS "projectRowId" FROM ${this.tables.jobs} WHERE id = ${jobId}::uuid FOR UPDATE`;
    return job?.projectRowId ?? null;
  }

  private async forget(jobId: string): Promise<void> {
    await this.database.client
      .$executeRaw`DELETE FROM open_costs WHERE kind = ${this.tables.kind} AND job_id = ${jobId}::uuid`;
  }

  private async lockItems(projectRowId: string, jobId: string, due: readonly DueCost[]): Promise<Map<string, Item>> {
    const { items, job, id } = this.tables;
    const rows = await this.database.client.$queryRaw<Item[]>`
      SELECT v.uid::text AS uid, v.cost_nano_usd::float8 AS cost, CASE WHEN v.state = 'running' THEN v.attempt END AS running
      FROM ${items} v WHERE v.project_id = ${projectRowId}::uuid AND v.${job} = ${jobId}::uuid
        AND v.${id} = ANY(${due.map(({ itemId }) => itemId)}::text[]) ORDER BY v.${id} FOR UPDATE`;
    return new Map(rows.map((row) => [row.uid, row]));
  }

  /** @returns those that nobody has looked for meanwhile, by uid */
  private async lockOpen(projectRowId: string, due: readonly DueCost[]): Promise<Map<string, OpenCost>> {
    const rows = await this.database.client.$queryRaw<OpenCost[]>`
      SELECT uid, booked_nano_usd::float8 AS booked, attempts_before AS "attemptsBefore",
        cost_before_nano_usd::float8 AS "costBefore" FROM open_costs WHERE project_id = ${projectRowId}::uuid
        AND uid = ANY(${due.map(({ uid }) => uid)}::text[]) AND look_at <= now() ORDER BY uid FOR UPDATE`;
    return new Map(rows.map((row) => [row.uid, row]));
  }

  /** By uid. @param due of one job */
  private async used(due: readonly DueCost[]): Promise<Map<string, UsedCost[]>> {
    const oldest = new Date(Math.min(...due.map(({ createdAt }) => createdAt.getTime())));
    const uids = due.map(({ uid }) => uid);
    const { projectRowId } = due[0] as DueCost;
    const rows = await this.database.client.$queryRaw<UsedCost[]>(usageOf(projectRowId, uids, oldest));
    return groupedBy(rows, ({ uid }) => uid);
  }

  private async add(projectRowId: string, jobId: string, mores: readonly More[]): Promise<void> {
    const { jobs, items, job, id, booked } = this.tables;
    const sum = mores.reduce((total, { more }) => total + more, 0);
    const listed = Prisma.sql`unnest(${mores.map(({ uid }) => uid)}::text[], ${mores.map(({ itemId }) => itemId)}::text[],
      ${mores.map(({ more }) => more)}::float8[]) AS c (uid, id, more)`;
    await this.database.client.$executeRaw`
      UPDATE ${items} v SET cost_nano_usd = v.cost_nano_usd + c.more::bigint FROM ${listed}
      WHERE v.project_id = ${projectRowId}::uuid AND v.${id} = c.id AND v.${job} = ${jobId}::uuid AND v.uid::text = c.uid`;
    await this.database.client.$executeRaw`
      UPDATE open_costs o SET booked_nano_usd = o.booked_nano_usd + c.more::bigint FROM ${listed}
      WHERE o.project_id = ${projectRowId}::uuid AND o.uid = c.uid`;
    await this.database.client.$executeRaw`
      UPDATE ${jobs} SET cost_nano_usd = cost_nano_usd + ${sum}::float8::bigint ${booked ?? Prisma.empty} WHERE id = ${jobId}::uuid`;
    await this.database.afterCommit(() => this.metrics.booked(this.tables.kind, sum));
  }

  /** The longer nothing comes, the longer until the next look. */
  private async postpone(
    projectRowId: string,
    open: readonly OpenCost[],
    used: ReadonlyMap<string, readonly UsedCost[]>,
  ): Promise<void> {
    const found = [...used.values()].flat().map(({ uid, attempt }) => `${uid}.${attempt}`);
    await this.database.client.$executeRaw`
      UPDATE open_costs o SET
        look_at = now() + least(greatest((now() - opened_at) / 4, interval '2 seconds'), interval '30 seconds'),
        awaited_attempts = CASE WHEN awaited_at > now() - ${AWAITED_SECONDS} * interval '1 second' THEN ARRAY(
          SELECT attempt FROM unnest(o.awaited_attempts) AS attempt WHERE o.uid || '.' || attempt <> ALL(${found}::text[])) ELSE '{}' END
      WHERE project_id = ${projectRowId}::uuid AND uid = ANY(${open.map(({ uid }) => uid)}::text[])`;
  }

  private async close(projectRowId: string, jobId: string, due: readonly DueCost[]): Promise<void> {
    const { items, job, id } = this.tables;
    const closed = await this.database.client.$queryRaw<{ uid: string; itemId: string }[]>`
      DELETE FROM open_costs WHERE project_id = ${projectRowId}::uuid AND uid = ANY(${due.map(({ uid }) => uid)}::text[])
        AND opened_at < now() - ${CLOSED_MINUTES} * interval '1 minute' RETURNING uid, item_id AS "itemId"`;
    if (closed.length === 0) return;
    await this.database.client.$executeRaw`
      UPDATE ${items} v SET is_cost_open = false WHERE v.project_id = ${projectRowId}::uuid AND v.${job} = ${jobId}::uuid
        AND v.${id} = ANY(${closed.map(({ itemId }) => itemId)}::text[])
        AND v.uid::text = ANY(${closed.map(({ uid }) => uid)}::text[])`;
  }
}

/** What requests of an item have cost that is not booked; not those of the attempt that is being worked on. */
function missingOf(open: OpenCost, item: Item | undefined, used: readonly UsedCost[]): number {
  const booked = item?.cost ?? open.booked;
  if (booked === null) return 0;
  const counted = used.filter(
    ({ attempt }) => Number(attempt) > open.attemptsBefore && Number(attempt) !== item?.running,
  );
  return counted.reduce((sum, { cost }) => sum + cost, 0) - (booked - open.costBefore);
}

function groupedBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
