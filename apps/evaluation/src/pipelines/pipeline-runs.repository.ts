import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { ClaimedRows } from '../queue/claimed-rows.repository.js';
import type { PipelineRecord, PipelineRunRecord, RunEnd, RunProgress } from './pipeline.record.js';

export const PAGE = 50;

const COLUMNS = Prisma.sql`r.id, r.project_id AS "projectRowId", r.pipeline_id AS "pipelineId", r.number, r.status, r.reason,
  r.started_by AS "startedBy", r.current_step AS "currentStep", r.alpha, r.steps, r.started_at AS "startedAt", r.ended_at AS "endedAt"`;

/** Runs of pipelines. */
@Injectable()
export class PipelineRunsRepository {
  readonly claims = new ClaimedRows(this.database, Prisma.sql`pipeline_runs`, Prisma.sql`ended_at IS NULL`);

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

  /** Stores how far a locked run is. */
  async save(id: string, { steps, currentStep, end }: RunProgress): Promise<void> {
    const ended = end ? Prisma.sql`, status = ${end.status}, reason = ${end.reason}, ended_at = now()` : Prisma.empty;
    await this.database.client.$executeRaw`
      UPDATE pipeline_runs SET steps = ${JSON.stringify(steps)}::jsonb, current_step = ${currentStep} ${ended} WHERE id = ${id}::uuid`;
  }

  async setAlpha(id: string, alpha: number): Promise<void> {
    await this.database.client.$executeRaw`UPDATE pipeline_runs SET alpha = ${alpha} WHERE id = ${id}::uuid`;
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
