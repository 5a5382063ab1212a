import { Database, newId, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { CLAIM_SECONDS } from '../queue/while-claimed.js';
import type { PipelineRecord, PipelineRunRecord, RunEnd, RunProgress } from './pipeline.record.js';

export const PAGE = 50;

const COLUMNS = Prisma.sql`r.id, r.project_id AS "projectRowId", r.pipeline_id AS "pipelineId", r.number, r.status, r.reason,
  r.started_by AS "startedBy", r.current_step AS "currentStep", r.alpha, r.steps, r.started_at AS "startedAt", r.ended_at AS "endedAt"`;

/** Runs of pipelines. */
@Injectable()
export class PipelineRunsRepository {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<PipelineRunRecord | null> {
    const [row] = await this.query(Prisma.sql`WHERE r.id = ${id}::uuid`);
    return row ?? null;
  }

  /** The newest first, one more than a page. @param cursor id of the last one of the page before */
  list({ projectRowId, id }: PipelineRecord, cursor: string | undefined): Promise<PipelineRunRecord[]> {
    const after = cursor === undefined ? Prisma.empty : Prisma.sql`AND r.id < ${cursor}::uuid`;
    return this.query(Prisma.sql`WHERE r.project_id = ${projectRowId}::uuid AND r.pipeline_id = ${id}::uuid ${after}
      ORDER BY r.id DESC LIMIT ${PAGE + 1}`);
  }

  /** The newest run of each, by id of the pipeline. */
  async newest(pipelines: readonly PipelineRecord[]): Promise<Map<string, PipelineRunRecord>> {
    const rows = await this.query(Prisma.sql`WHERE r.id IN (
      SELECT DISTINCT ON (n.pipeline_id) n.id FROM pipeline_runs n
      WHERE n.project_id = ANY(${[...new Set(pipelines.map(({ projectRowId }) => projectRowId))]}::uuid[])
        AND n.pipeline_id = ANY(${pipelines.map(({ id }) => id)}::uuid[])
      ORDER BY n.pipeline_id, n.number DESC)`);
    return new Map(rows.map((run) => [run.pipelineId, run]));
  }

  /** Runs whose turn it is, each for this process alone until it releases them, or dies. */
  async claimDue(limit: number): Promise<{ id: string; claim: string }[]> {
    return this.database.client.$queryRaw<{ id: string; claim: string }[]>`
      UPDATE pipeline_runs SET claim = ${newId()}::uuid, look_at = now() + ${CLAIM_SECONDS} * interval '1 second'
      WHERE id IN (SELECT id FROM pipeline_runs WHERE ended_at IS NULL AND look_at <= now() ORDER BY look_at LIMIT ${limit}
        FOR UPDATE SKIP LOCKED)
      RETURNING id, claim`;
  }

  /** Keeps a claim. */
  async renew(id: string, claim: string): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE pipeline_runs SET look_at = now() + ${CLAIM_SECONDS} * interval '1 second' WHERE id = ${id}::uuid AND claim = ${claim}::uuid`;
  }

  /** Within a transaction: keeps the run from changing. @returns whether it is open and still this process's */
  async lock(id: string, claim: string): Promise<boolean> {
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT FROM pipeline_runs WHERE id = ${id}::uuid AND ended_at IS NULL AND claim = ${claim}::uuid FOR UPDATE`;
    return rows.length > 0;
  }

  /** Stores how far a locked run is. @param seconds until the next look; null: others keep their hands off it still */
  async save(id: string, { steps, currentStep, end }: RunProgress, seconds: number | null): Promise<void> {
    const ended = end ? Prisma.sql`, status = ${end.status}, reason = ${end.reason}, ended_at = now()` : Prisma.empty;
    const left =
      seconds === null ? Prisma.empty : Prisma.sql`, claim = NULL, look_at = now() + ${seconds} * interval '1 second'`;
    await this.database.client.$executeRaw`
      UPDATE pipeline_runs SET steps = ${JSON.stringify(steps)}::jsonb, current_step = ${currentStep} ${left} ${ended} WHERE id = ${id}::uuid`;
  }

  async setAlpha(id: string, alpha: number): Promise<void> {
    await this.database.client.$executeRaw`UPDATE pipeline_runs SET alpha = ${alpha} WHERE id = ${id}::uuid`;
  }

  /** Lets others go on after a while. */
  async release(id: string, claim: string, seconds: number): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE pipeline_runs SET claim = NULL, look_at = now() + ${seconds} * interval '1 second'
      WHERE id = ${id}::uuid AND claim = ${claim}::uuid`;
  }

  /** @returns false: it has ended before */
  async end(id: string, { status, reason }: RunEnd): Promise<boolean> {
    const ended = await this.database.client.$executeRaw`
      UPDATE pipeline_runs SET status = ${status}, reason = ${reason}, ended_at = now(), claim = NULL
      WHERE id = ${id}::uuid AND ended_at IS NULL`;
    return ended > 0;
  }

  private query(condition: Prisma.Sql): Promise<PipelineRunRecord[]> {
    return this.database.client.$queryRaw<PipelineRunRecord[]>`SELECT ${COLUMNS} FROM pipeline_runs r ${condition}`;
  }
}
