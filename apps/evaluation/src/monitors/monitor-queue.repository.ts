import { type CallSelection, fromSelection } from '@hone/call-queries';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { IS_TRAFFIC } from '../judged-calls/own-users.sql.js';
import type { MonitorRecord } from './monitor.record.js';

/** Rows among which projects are found: a queue that waited long may have millions. */
const MOST_LOOKED_AT = 10_000;
/** Calls that are looked at in one transaction. */
const BATCH = 500;

/** Calls that were written, until monitors have looked at them; and those that a monitor is to judge. */
@Injectable()
export class MonitorQueueRepository {
  constructor(private readonly database: Database) {}

  /** Some projects with calls that wait. */
  async projects(): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT DISTINCT q.project_id AS id FROM (SELECT project_id FROM monitor_queue LIMIT ${MOST_LOOKED_AT}) q`;
    return rows.map(({ id }) => id);
  }

  /**
   * Takes calls from the queue, and has them looked at in the same transaction: they are back where it fails.
   *
   * @param look at ids of calls, each once
   * @returns how many rows were taken
   */
  async take(projectRowId: string, look: (callIds: string[]) => Promise<void>): Promise<number> {
    return this.database.transaction(async () => {
      const rows = await this.database.client.$queryRaw<{ callId: string }[]>`
        DELETE FROM monitor_queue q USING (
          SELECT project_id, seq FROM monitor_queue WHERE project_id = ${projectRowId}::uuid
          ORDER BY seq LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) due
        WHERE q.project_id = due.project_id AND q.seq = due.seq RETURNING q.call_id AS "callId"`;
      if (rows.length > 0) await look([...new Set(rows.map(({ callId }) => callId))]);
      return rows.length;
    });
  }

  /** Has those of some calls judged that have ended and that a monitor means, in its scoring of this day (UTC). */
  async plan(
    { projectRowId, scorerId, scorerDigest }: MonitorRecord,
    scoringId: string,
    selection: CallSelection,
  ): Promise<void> {
    await this.database.client.$executeRaw(Prisma.sql`
      WITH day AS (
        SELECT id FROM scorings WHERE id = ${scoringId}::uuid AND finished_at IS NULL FOR SHARE
      ), meant AS MATERIALIZED (
        SELECT c.id ${fromSelection(selection)} AND c.ended_at IS NOT NULL AND ${IS_TRAFFIC})
      INSERT INTO verdicts (project_id, call_id, scorer_id, scorer_digest, scoring_id)
      SELECT ${projectRowId}::uuid, meant.id, ${scorerId}, ${scorerDigest}, day.id FROM meant CROSS JOIN day ORDER BY meant.id
      ON CONFLICT DO NOTHING`);
  }
}
