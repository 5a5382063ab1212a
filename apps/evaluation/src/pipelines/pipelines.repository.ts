import { Database, isUniqueViolation, newId, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { PipelineRecord, StartedBy } from './pipeline.record.js';

export type PipelineDraft = Pick<
  PipelineRecord,
  'id' | 'projectRowId' | 'settings' | 'isPaused' | 'keyId' | 'createdBy'
>;

const COLUMNS = Prisma.sql`l.id, l.project_id AS "projectRowId", e.name || '/' || p.name AS "projectId", l.settings, l.is_paused AS "isPaused",
  l.run_count AS "runCount", l.gate_count AS "gateCount", l.alpha_spent AS "alphaSpent", l.key_id AS "keyId", l.created_by AS "createdBy",
  l.created_at AS "createdAt"`;
const FROM = Prisma.sql`FROM pipelines l JOIN projects p ON p.id = l.project_id JOIN entities e ON e.id = p.entity_id`;
/** When the newest run began. */
const LAST_START = Prisma.sql`(SELECT max(r.started_at) FROM pipeline_runs r WHERE r.project_id = l.project_id AND r.pipeline_id = l.id)`;
const HAS_OPEN_RUN = Prisma.sql`EXISTS (
  SELECT FROM pipeline_runs r WHERE r.project_id = l.project_id AND r.pipeline_id = l.id AND r.ended_at IS NULL)`;
const EVERY_HOURS = Prisma.sql`(l.settings ->> 'every_hours')::float8`;
const IS_SCHEDULED = Prisma.sql`coalesce(${LAST_START}, l.created_at) + ${EVERY_HOURS} * interval '1 hour' <= now()`;
/** Calls that people or scorers judged since the newest run began, counted up to what starts a run. */
const JUDGED_CALLS = Prisma.sql`(SELECT count(*) FROM (
  SELECT DISTINCT f.trace_ref FROM feedback f WHERE f.project_id = l.project_id AND f.created_at > coalesce(${LAST_START}, '-infinity')
    AND f.trace_ref LIKE '%/call/%' LIMIT (l.settings ->> 'new_judged_calls')::int) judged)`;
const IS_FED = Prisma.sql`${JUDGED_CALLS} >= (l.settings ->> 'new_judged_calls')::int`;

@Injectable()
export class PipelinesRepository {
  constructor(private readonly database: Database) {}

  /** @returns false: another one has the name */
  async create({ id, projectRowId, settings, isPaused, keyId, createdBy }: PipelineDraft): Promise<boolean> {
    try {
      await this.database.client.$executeRaw`
        INSERT INTO pipelines (project_id, id, name, settings, is_paused, key_id, created_by)
        VALUES (${projectRowId}::uuid, ${id}::uuid, ${settings.name}, ${JSON.stringify(settings)}::jsonb, ${isPaused}, ${keyId}::uuid,
          ${createdBy}::uuid)`;
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async find(id: string): Promise<PipelineRecord | null> {
    const [row] = await this.query(Prisma.sql`WHERE l.id = ${id}::uuid`);
    return row ?? null;
  }

  /** All of a project, by their names. */
  list(projectRowId: string): Promise<PipelineRecord[]> {
    return this.query(Prisma.sql`WHERE l.project_id = ${projectRowId}::uuid ORDER BY l.name, l.id`);
  }

  /** It runs in the name of whoever changed it last. */
  async setPaused(
    id: string,
    isPaused: boolean,
    { keyId, createdBy }: Pick<PipelineRecord, 'keyId' | 'createdBy'>,
  ): Promise<void> {
    await this.database.client.pipeline.updateMany({ where: { id }, data: { isPaused, keyId, createdBy } });
  }

  /** With its runs. */
  async delete({ id, projectRowId }: PipelineRecord): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.client.pipeline.deleteMany({ where: { id } });
      await this.database.client.pipelineRun.deleteMany({ where: { projectId: projectRowId, pipelineId: id } });
    });
  }

  /** Pipelines that are to start by themselves, and why. @param counts whether judged calls are counted, too */
  async due(limit: number, counts: boolean): Promise<{ id: string; startedBy: StartedBy }[]> {
    return this.database.client.$queryRaw<{ id: string; startedBy: StartedBy }[]>`
      SELECT l.id, CASE WHEN ${EVERY_HOURS} IS NOT NULL AND ${IS_SCHEDULED} THEN 'schedule' ELSE 'judged_calls' END AS "startedBy"
      FROM pipelines l WHERE NOT l.is_paused AND NOT ${HAS_OPEN_RUN}
        AND CASE WHEN ${EVERY_HOURS} IS NOT NULL AND ${IS_SCHEDULED} THEN true
          WHEN ${counts} AND l.settings ->> 'new_judged_calls' IS NOT NULL THEN ${IS_FED} ELSE false END
      LIMIT ${limit}`;
  }

  /**
   * Starts a run, unless there is an open one, or what starts it by itself is not so any more: of several schedulers one does.
   *
   * @returns its id; null: it was not started
   */
  async start(id: string, startedBy: StartedBy): Promise<string | null> {
    return this.database.transaction(async () => {
      const condition =
        startedBy === 'request'
          ? Prisma.sql`true`
          : Prisma.sql`NOT l.is_paused AND ${startedBy === 'schedule' ? IS_SCHEDULED : IS_FED}`;
      // Whoever waits for the lock sees the run that was started meanwhile in a statement of its own.
      await this.database.client.$queryRaw`SELECT FROM pipelines WHERE id = ${id}::uuid FOR UPDATE`;
      const run = newId();
      const started = await this.database.client.$executeRaw`
        INSERT INTO pipeline_runs (project_id, id, pipeline_id, number, status, started_by)
        SELECT l.project_id, ${run}::uuid, l.id, l.run_count + 1, 'running', ${startedBy}
        FROM pipelines l WHERE l.id = ${id}::uuid AND NOT ${HAS_OPEN_RUN} AND ${condition}`;
      if (started === 0) return null;
      await this.database.client.$executeRaw`UPDATE pipelines SET run_count = run_count + 1 WHERE id = ${id}::uuid`;
      return run;
    });
  }

  /** Within a transaction. @returns how many gates it has had, with this one */
  async addGate(id: string, alphaOf: (gate: number) => number): Promise<{ gate: number; alpha: number }> {
    const [row] = await this.database.client.$queryRaw<{ gates: number }[]>`
      SELECT gate_count AS gates FROM pipelines WHERE id = ${id}::uuid FOR UPDATE`;
    const gate = (row?.gates ?? 0) + 1;
    const alpha = alphaOf(gate);
    await this.database.client.$executeRaw`
      UPDATE pipelines SET gate_count = ${gate}, alpha_spent = alpha_spent + ${alpha} WHERE id = ${id}::uuid`;
    return { gate, alpha };
  }

  private query(condition: Prisma.Sql): Promise<PipelineRecord[]> {
    return this.database.client.$queryRaw<PipelineRecord[]>`SELECT ${COLUMNS} ${FROM} ${condition}`;
  }
}
