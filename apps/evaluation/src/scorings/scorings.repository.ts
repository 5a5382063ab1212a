import { type CallSelection, fromSelection } from '@hone/call-queries';
import type { BiasProbe, ScoringStatus } from '@hone/contracts';
import { Database, newId, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { IS_TRAFFIC } from '../judged-calls/own-users.sql.js';
import { COSTS_SINCE_NOW } from '../queue/retried-item.sql.js';
import type { ScoringRecord, ScoringSelection, StateCount } from './scoring.record.js';

export const PAGE = 50;

/** What a request says of a new scoring. */
export interface ScoringDraft {
  readonly id: string;
  readonly projectRowId: string;
  readonly scorerId: string;
  readonly scorerDigest: string;
  readonly selection: ScoringSelection;
  readonly callLimit: number;
  readonly maxCostNanoUsd: number | null;
  readonly keyId: string;
  readonly createdBy: string;
  /** Absent: it is no probe. */
  readonly ofBias?: { readonly reportId: string; readonly probe: BiasProbe; readonly trial: number };
}

const COLUMNS = Prisma.sql`s.id, s.project_id AS "projectRowId", e.name || '/' || p.name AS "projectId", s.scorer_id AS "scorerId",
  s.scorer_digest AS "scorerDigest", s.selection, s.call_limit AS "callLimit", s.max_cost_nano_usd::float8 AS "maxCostNanoUsd",
  s.cost_nano_usd::float8 AS "costNanoUsd", s.status, s.is_planned AS "isPlanned", s.judged_before AS "judgedBefore", s.error,
  s.key_id AS "keyId", s.created_by AS "createdBy", s.created_at AS "createdAt", s.finished_at AS "finishedAt",
  s.probe, s.trial`;
const FROM = Prisma.sql`FROM scorings s JOIN projects p ON p.id = s.project_id JOIN entities e ON e.id = p.entity_id`;

const TODAY = Prisma.sql`(now() AT TIME ZONE 'UTC')::date`;
/** Whether no more calls come to `scorings s`: those of a monitor get some until their day is over. */
const IS_COMPLETE = Prisma.sql`(s.monitor_id IS NULL OR s.monitor_day < ${TODAY})`;
/** Whether a verdict waits, or its worker is gone. */
const IS_WAITING = Prisma.sql`(state = 'pending' OR (state = 'running' AND lease_expires_at < now()))`;
const OF_TRAFFIC = Prisma.sql`AND ${IS_TRAFFIC}`;

/** The monitor that a scoring of today follows. */
export interface FollowedMonitor extends Pick<
  ScoringRecord,
  'id' | 'projectRowId' | 'scorerId' | 'scorerDigest' | 'keyId' | 'createdBy'
> {
  readonly maxCostNanoUsdPerDay: number | null;
}

/** What is left of a monitor's budget of today for its scorer's version; null: it has none. Other versions spent of it, too. */
const restOfDay = ({ id, scorerDigest, maxCostNanoUsdPerDay: most }: FollowedMonitor): Prisma.Sql => Prisma.sql`
  CASE WHEN ${most}::float8 IS NOT NULL THEN greatest(1, ${most}::float8::bigint - (
    SELECT coalesce(sum(o.cost_nano_usd), 0) FROM scorings o
    WHERE o.monitor_id = ${id}::uuid AND o.monitor_day = ${TODAY} AND o.scorer_digest <> ${scorerDigest})) END`;

@Injectable()
export class ScoringsRepository {
  constructor(private readonly database: Database) {}

  async create(draft: ScoringDraft): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO scorings (project_id, id, scorer_id, scorer_digest, selection, call_limit, max_cost_nano_usd, status, key_id, created_by,
        bias_report_id, probe, trial)
      VALUES (${draft.projectRowId}::uuid, ${draft.id}::uuid, ${draft.scorerId}, ${draft.scorerDigest},
        ${JSON.stringify(draft.selection)}::jsonb, ${draft.callLimit}, ${draft.maxCostNanoUsd}::float8::bigint, 'queued',
        ${draft.keyId}::uuid, ${draft.createdBy}::uuid, ${draft.ofBias?.reportId ?? null}::uuid, ${draft.ofBias?.probe ?? null},
        ${draft.ofBias?.trial ?? 0})`;
  }

  async find(id: string): Promise<ScoringRecord | null> {
    const [row] = await this.database.client.$queryRaw<ScoringRecord[]>`
      SELECT ${COLUMNS} ${FROM} WHERE s.id = ${id}::uuid`;
    return row ?? null;
  }

  /** At most {@link PAGE} and one more, the newest first. @param before id of the last one of the page before */
  async list(projectRowId: string, before: string | undefined): Promise<ScoringRecord[]> {
    const older = before === undefined ? Prisma.empty : Prisma.sql`AND s.id < ${before}::uuid`;
    return this.database.client.$queryRaw<ScoringRecord[]>`
      SELECT ${COLUMNS} ${FROM} WHERE s.project_id = ${projectRowId}::uuid AND s.monitor_id IS NULL
        AND s.bias_report_id IS NULL ${older} ORDER BY s.id DESC LIMIT ${PAGE + 1}`;
  }

  /** The probes of bias reports, in the order in which they were made. */
  async ofBiasReport(reportId: string): Promise<ScoringRecord[]> {
    return this.database.client.$queryRaw<ScoringRecord[]>`
      SELECT ${COLUMNS} ${FROM} WHERE s.bias_report_id = ${reportId}::uuid ORDER BY s.id`;
  }

  /** Those that have something to do: calls to find, to judge, or none left. In any order: no project's many hold up those of others. */
  async due(limit: number): Promise<ScoringRecord[]> {
    return this.database.client.$queryRaw<ScoringRecord[]>`
      SELECT ${COLUMNS} ${FROM} WHERE s.finished_at IS NULL AND (NOT s.is_planned OR EXISTS (
          SELECT FROM verdicts v WHERE v.scoring_id = s.id AND ((v.state = 'pending' AND v.available_at <= now())
            OR (v.state = 'running' AND v.lease_expires_at < now())))
        OR (${IS_COMPLETE} AND NOT EXISTS (SELECT FROM verdicts v WHERE v.scoring_id = s.id AND v.state IN ('pending', 'running'))))
      ORDER BY random() LIMIT ${limit}`;
  }

  /** Of requests, not of monitors. */
  async countOpen(projectRowId: string): Promise<number> {
    return this.database.client.scoring.count({
      where: { projectId: projectRowId, finishedAt: null, monitorId: null },
    });
  }

  async counts(ids: readonly string[]): Promise<StateCount[]> {
    return this.database.client.$queryRaw<StateCount[]>`
      SELECT scoring_id AS "scoringId", state, code, count(*)::int AS calls, min(call_id) AS "callId"
      FROM verdicts WHERE scoring_id = ANY(${[...ids]}::uuid[]) GROUP BY 1, 2, 3 ORDER BY 4 DESC, 3`;
  }

  /**
   * Gives each call that a scoring means a row of verdicts, and lets it begin. Calls in which judges asked models, or candidates
   * answered, are judged only where they are named. Calls that have one of this scorer's version are
   * counted and left alone. Another process that does so at the same time finds the scoring locked, and leaves it.
   *
   * @returns whether this one did
   */
  async plan(scoring: ScoringRecord, selection: CallSelection): Promise<boolean> {
    const isNamed = (scoring.selection.call_ids ?? null) !== null;
    return this.database.transaction(async () => {
      const locked = await this.database.client.$queryRaw<unknown[]>`
        SELECT FROM scorings WHERE id = ${scoring.id}::uuid AND status = 'queued' FOR UPDATE SKIP LOCKED`;
      if (locked.length === 0) return false;
      await this.database.client.$executeRaw`
        WITH meant AS MATERIALIZED (
          SELECT c.id ${fromSelection(selection)} ${isNamed ? Prisma.empty : OF_TRAFFIC} ORDER BY c.started_at DESC, c.id DESC LIMIT ${scoring.callLimit}
        ), planned AS (
          INSERT INTO verdicts (project_id, call_id, scorer_id, scorer_digest, trial, scoring_id)
          SELECT ${scoring.projectRowId}::uuid, id, ${scoring.scorerId}, ${scoring.scorerDigest}, ${scoring.trial}, ${scoring.id}::uuid
          FROM meant ORDER BY id ON CONFLICT DO NOTHING RETURNING 1)
        UPDATE scorings SET status = 'running', is_planned = true,
          judged_before = (SELECT count(*) FROM meant) - (SELECT count(*) FROM planned)
        WHERE id = ${scoring.id}::uuid`;
      return true;
    });
  }

  /** Ends a scoring that is not over. What waits is given up, so that another one may judge it. */
  async finish(id: string, status: ScoringStatus, error: string | null = null): Promise<boolean> {
    return this.database.transaction(async () => {
      const ended = await this.database.client.$executeRaw`
        UPDATE scorings SET status = ${status}, error = ${error}, finished_at = now()
        WHERE id = ${id}::uuid AND finished_at IS NULL`;
      if (ended === 0) return false;
      await this.lockVerdicts(id, IS_WAITING);
      await this.database.client.$executeRaw`DELETE FROM verdicts WHERE scoring_id = ${id}::uuid AND ${IS_WAITING}`;
      return true;
    });
  }

  /** Ends a scoring all of whose calls are settled, and that gets no more. */
  async finishSettled(id: string): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE scorings s SET status = coalesce(s.ended_early_as, 'done'), finished_at = now()
      WHERE s.id = ${id}::uuid AND s.status = 'running' AND s.is_planned AND ${IS_COMPLETE}
        AND NOT EXISTS (SELECT FROM verdicts WHERE scoring_id = ${id}::uuid AND state IN ('pending', 'running'))`;
  }

  /** What monitors judge today (UTC), each with its scorer's version, by the monitor's id. */
  async ofMonitorsToday(monitors: readonly FollowedMonitor[]): Promise<Map<string, ScoringRecord>> {
    const rows = await this.database.client.$queryRaw<(ScoringRecord & { monitorId: string })[]>`
      SELECT s.monitor_id AS "monitorId", ${COLUMNS} ${FROM}
      JOIN unnest(${monitors.map(({ id }) => id)}::uuid[], ${monitors.map(({ scorerDigest }) => scorerDigest)}::text[])
        AS m (id, digest) ON m.id = s.monitor_id AND m.digest = s.scorer_digest
      WHERE s.monitor_day = ${TODAY}`;
    return new Map(rows.map(({ monitorId, ...scoring }) => [monitorId, scoring]));
  }

  /** Begins what a monitor judges today with its scorer's version, where that has not begun. @returns its id */
  async openDay(monitor: FollowedMonitor): Promise<string> {
    const { id, projectRowId, scorerId, scorerDigest, keyId, createdBy } = monitor;
    await this.database.client.$executeRaw`
      INSERT INTO scorings (project_id, id, scorer_id, scorer_digest, selection, call_limit, max_cost_nano_usd, status, is_planned,
        key_id, created_by, monitor_id, monitor_day)
      SELECT ${projectRowId}::uuid, ${newId()}::uuid, ${scorerId}, ${scorerDigest}, '{}', 0, ${restOfDay(monitor)}, 'running', true,
        ${keyId}::uuid, ${createdBy}::uuid, ${id}::uuid, ${TODAY}
      ON CONFLICT (monitor_id, monitor_day, scorer_digest) DO NOTHING`;
    const [day] = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT s.id FROM scorings s
      WHERE s.monitor_id = ${id}::uuid AND s.monitor_day = ${TODAY} AND s.scorer_digest = ${scorerDigest}`;
    return day?.id as string;
  }

  /** Gives what a monitor judges today its new budget and key, and lets it go on where the one before was spent or over. */
  async followMonitor(monitor: FollowedMonitor): Promise<void> {
    const { id, scorerDigest, keyId, createdBy } = monitor;
    await this.database.client.$executeRaw`
      UPDATE scorings s SET key_id = ${keyId}::uuid, created_by = ${createdBy}::uuid, status = 'running', error = NULL, finished_at = NULL,
        ended_early_as = NULL, max_cost_nano_usd = ${restOfDay(monitor)}
      WHERE s.monitor_id = ${id}::uuid AND s.monitor_day = ${TODAY} AND s.scorer_digest = ${scorerDigest}`;
  }

  /**
   * Lets the calls that failed be judged once more. Those that were given up when the scoring ended early stay so: it ends with the
   * same status and error again.
   */
  async retry(id: string): Promise<void> {
    await this.database.transaction(async () => {
      // Before its verdicts, as everywhere: so nobody deadlocks.
      await this.database.client.$queryRaw`SELECT FROM scorings WHERE id = ${id}::uuid FOR UPDATE`;
      await this.lockVerdicts(id, Prisma.sql`state = 'failed'`);
      const failed = await this.database.client.$executeRaw`
        UPDATE verdicts SET state = 'pending', failures = 0, code = NULL, available_at = now(), settled_at = NULL,
          ${COSTS_SINCE_NOW}
        WHERE scoring_id = ${id}::uuid AND state = 'failed'`;
      if (failed > 0)
        await this.database.client.$executeRaw`
          UPDATE scorings SET status = 'running', finished_at = NULL,
            ended_early_as = CASE WHEN status IN ('cancelled', 'budget_spent', 'failed') THEN status ELSE ended_early_as END
          WHERE id = ${id}::uuid AND is_planned`;
    });
  }

  /** In the order of their calls, as everywhere: so nobody deadlocks. */
  private async lockVerdicts(id: string, condition: Prisma.Sql): Promise<void> {
    await this.database.client.$queryRaw`
      SELECT FROM verdicts WHERE scoring_id = ${id}::uuid AND ${condition} ORDER BY call_id FOR UPDATE`;
  }
}
