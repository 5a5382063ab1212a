import { IS_SHOWN } from '@hone/call-queries';
import { Database, Prisma } from '@hone/database';
import { type FeedbackDraft, FeedbackWriteRepository } from '@hone/feedback';
import { Injectable } from '@nestjs/common';

import type { ScoringRecord } from '../scorings/scoring.record.js';
import type { ClaimedVerdict, Settlement } from './verdict.record.js';

const LEASE_SECONDS = 30;
/** Verdicts at once whose costs are looked for. */
const COST_BATCH = 500;
/** After so long no usage record of a verdict comes any more: a gateway delivers its journal when it starts again. */
const COST_CLOSED_MINUTES = 30;

interface Purse {
  spent: number;
  inFlight: number;
  /** Judgements that are settled. */
  settled: number;
}

/** Rows of verdicts as a queue of work, in which a lease says who works. */
@Injectable()
export class VerdictsRepository {
  constructor(
    private readonly database: Database,
    private readonly feedback: FeedbackWriteRepository,
  ) {}

  /**
   * Takes verdicts that wait, or whose worker is gone. Claims for one scoring wait for each other, so that together they never
   * spend more than its budget beyond what is in flight.
   *
   * @returns null: the budget is spent
   */
  async claim(scoring: ScoringRecord, most: number): Promise<ClaimedVerdict[] | null> {
    return this.database.transaction(async () => {
      const locked = await this.database.client.$queryRaw<unknown[]>`
        SELECT FROM scorings WHERE id = ${scoring.id}::uuid AND status = 'running' FOR UPDATE`;
      if (locked.length === 0) return [];
      const affordable = scoring.maxCostNanoUsd === null ? most : await this.affordable(scoring, most);
      if (affordable === null) return null;
      return affordable === 0 ? [] : this.take(scoring.id, affordable);
    });
  }

  private take(scoringId: string, most: number): Promise<ClaimedVerdict[]> {
    return this.database.client.$queryRaw<ClaimedVerdict[]>`
      UPDATE verdicts v SET state = 'running', attempt = v.attempt + 1, is_cost_open = v.is_cost_open OR v.state = 'running',
        lease_expires_at = now() + ${LEASE_SECONDS} * interval '1 second'
      FROM (
        SELECT project_id, call_id, scorer_id, scorer_digest, trial FROM verdicts
        WHERE scoring_id = ${scoringId}::uuid AND ((state = 'pending' AND available_at <= now())
          OR (state = 'running' AND lease_expires_at < now()))
        ORDER BY available_at LIMIT ${most} FOR UPDATE SKIP LOCKED) due
      WHERE (v.project_id, v.call_id, v.scorer_id, v.scorer_digest, v.trial)
        = (due.project_id, due.call_id, due.scorer_id, due.scorer_digest, due.trial)
      RETURNING v.call_id AS "callId", v.uid, v.attempt, v.failures`;
  }

  /** How many judgements the rest of the budget pays for, by what one has cost so far; null: none, and none is in flight. */
  private async affordable({ id, maxCostNanoUsd }: ScoringRecord, most: number): Promise<number | null> {
    const [purse] = await this.database.client.$queryRaw<Purse[]>`
      SELECT s.cost_nano_usd::float8 AS spent,
        count(*) FILTER (WHERE v.state = 'running' AND v.lease_expires_at >= now())::int AS "inFlight",
        count(*) FILTER (WHERE v.settled_at IS NOT NULL)::int AS settled
      FROM scorings s LEFT JOIN verdicts v ON v.scoring_id = s.id WHERE s.id = ${id}::uuid GROUP BY s.cost_nano_usd`;
    const { spent, inFlight, settled } = purse as Purse;
    const left = (maxCostNanoUsd as number) - spent;
    if (left <= 0) return inFlight === 0 ? null : 0;
    if (settled === 0) return inFlight === 0 ? 1 : 0;
    const mean = spent / settled;
    return mean === 0 ? most : Math.max(inFlight === 0 ? 1 : 0, Math.min(most, Math.floor(left / mean) - inFlight));
  }

  /** Keeps claims. */
  async renew(scoringId: string, claims: readonly ClaimedVerdict[]): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE verdicts v SET lease_expires_at = now() + ${LEASE_SECONDS} * interval '1 second'
      FROM unnest(${claims.map(({ callId }) => callId)}::text[], ${claims.map(({ attempt }) => attempt)}::int[]) AS c(id, attempt)
      WHERE v.scoring_id = ${scoringId}::uuid AND v.call_id = c.id AND v.attempt = c.attempt AND v.state = 'running'`;
  }

  /** Gives claims back: what their requests have cost is looked for once they are settled. */
  async release(scoring: ScoringRecord, claims: readonly ClaimedVerdict[]): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE verdicts v SET state = 'pending', lease_expires_at = NULL, is_cost_open = true, available_at = now() + interval '1 second'
      FROM unnest(${claims.map(({ callId }) => callId)}::text[], ${claims.map(({ attempt }) => attempt)}::int[]) AS c(id, attempt)
      WHERE v.scoring_id = ${scoring.id}::uuid AND v.call_id = c.id AND v.attempt = c.attempt AND v.state = 'running'`;
    await this.database.client.$executeRaw`
      DELETE FROM verdicts v USING scorings s WHERE s.id = v.scoring_id AND s.id = ${scoring.id}::uuid
        AND s.finished_at IS NOT NULL AND v.state = 'pending'`;
  }

  /**
   * Settles claims, and stores their feedback, in one transaction. A claim that another process has taken over changes nothing. Of a
   * call that was deleted meanwhile nothing is stored: its feedback has perhaps been erased already.
   */
  async settle(
    scoring: ScoringRecord,
    settlements: readonly Settlement[],
    drafts: readonly FeedbackDraft[],
  ): Promise<void> {
    const rows = JSON.stringify(settlements);
    await this.database.transaction(async () => {
      const settled = await this.database.client.$queryRaw<{ feedbackId: string | null }[]>`
        WITH sent AS (
          SELECT * FROM json_to_recordset(${rows}::json) AS row ("callId" text, attempt int, state text, code text,
            "feedbackId" text, "costNanoUsd" bigint, "isCostOpen" boolean, "delayMs" int)
        ), settled AS (
          UPDATE verdicts v SET state = sent.state, code = sent.code, feedback_id = sent."feedbackId", lease_expires_at = NULL,
            cost_nano_usd = v.cost_nano_usd + sent."costNanoUsd", is_cost_open = v.is_cost_open OR sent."isCostOpen",
            failures = v.failures + (sent.state = 'pending')::int,
            available_at = now() + sent."delayMs" * interval '1 millisecond',
            settled_at = CASE WHEN sent.state <> 'pending' THEN now() END
          FROM sent WHERE v.project_id = ${scoring.projectRowId}::uuid AND v.call_id = sent."callId"
            AND v.scoring_id = ${scoring.id}::uuid AND v.attempt = sent.attempt AND v.state = 'running'
          RETURNING v.call_id, v.feedback_id, sent."costNanoUsd" AS cost
        ), booked AS (
          UPDATE scorings SET cost_nano_usd = cost_nano_usd + (SELECT coalesce(sum(cost), 0) FROM settled)
          WHERE id = ${scoring.id}::uuid)
        SELECT settled.feedback_id AS "feedbackId" FROM settled
        JOIN calls c ON c.project_id = ${scoring.projectRowId}::uuid AND c.id = settled.call_id WHERE ${IS_SHOWN}`;
      const stored = new Set(settled.map(({ feedbackId }) => feedbackId));
      const kept = drafts.filter(({ id }) => stored.has(id));
      if (kept.length > 0) await this.feedback.insert(kept);
    });
  }

  /** Gives up what a worker that is gone left of scorings that are over, so that another scoring may judge it. */
  async deleteAbandoned(): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM verdicts v USING scorings s WHERE s.id = v.scoring_id AND s.finished_at IS NOT NULL
        AND v.state = 'running' AND v.lease_expires_at < now()`;
  }

  /**
   * Costs of settled verdicts some of whose requests had no answer here, from the usage records, which have all. The ids of a
   * verdict's requests begin with its uid. Rows are locked: replicas that look at once book none twice to its scoring.
   *
   * @param after goes through them in the order in which they were settled; null: from the first one
   * @returns null: these were the last ones
   */
  async bookCosts(after: Date | null): Promise<Date | null> {
    const [booked] = await this.database.client.$queryRaw<{ last: Date | null }[]>(Prisma.sql`
      WITH open AS MATERIALIZED (
        SELECT * FROM verdicts WHERE is_cost_open AND settled_at < now() - interval '2 seconds'
          AND settled_at > ${after ?? new Date(0)} ORDER BY settled_at LIMIT ${COST_BATCH} FOR UPDATE SKIP LOCKED
      ), used AS (
        SELECT u.project_id, left(u.rid, 36) AS uid, sum(u.cost_nano_usd) AS cost FROM usage_records u
        WHERE u.project_id IN (SELECT project_id FROM open) AND u.day >= (SELECT min(created_at)::date FROM open)
          AND u.started_at >= (SELECT min(created_at) FROM open) AND substr(u.rid, 37, 1) = '.' GROUP BY 1, 2
      ), booked AS (
        UPDATE verdicts v SET cost_nano_usd = greatest(v.cost_nano_usd, coalesce(used.cost, 0)),
          is_cost_open = v.settled_at > now() - ${COST_CLOSED_MINUTES} * interval '1 minute'
        FROM open LEFT JOIN used ON used.project_id = open.project_id AND used.uid = open.uid::text
        WHERE (v.project_id, v.call_id, v.scorer_id, v.scorer_digest, v.trial)
          = (open.project_id, open.call_id, open.scorer_id, open.scorer_digest, open.trial)
        RETURNING v.scoring_id, v.cost_nano_usd - open.cost_nano_usd AS more
      ), summed AS (
        UPDATE scorings s SET cost_nano_usd = s.cost_nano_usd + b.more
        FROM (SELECT scoring_id, sum(more) AS more FROM booked GROUP BY 1) b WHERE s.id = b.scoring_id AND b.more <> 0)
      SELECT CASE WHEN count(*) = ${COST_BATCH} THEN max(settled_at) END AS last FROM open`);
    return booked?.last ?? null;
  }
}
