import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { ClaimedRows } from '../queue/claimed-rows.repository.js';
import type { ImprovementEnd, ImprovementProgress, ImprovementRecord } from './improvement.record.js';

export const PAGE = 50;

export type ImprovementDraft = Pick<ImprovementRecord, 'id' | 'projectRowId' | 'settings' | 'keyId' | 'createdBy'>;

const COLUMNS = Prisma.sql`i.id, i.project_id AS "projectRowId", e.name || '/' || p.name AS "projectId", i.settings, i.status, i.reason,
  i.step, i.current_step AS "currentStep", i.dataset, i.candidates, i.evaluation_ids AS "evaluationIds", i.current_run_id AS "currentRunId",
  i.key_id AS "keyId", i.created_by AS "createdBy", i.created_at AS "createdAt", i.ended_at AS "endedAt"`;
const FROM = Prisma.sql`FROM improvements i JOIN projects p ON p.id = i.project_id JOIN entities e ON e.id = p.entity_id`;

/** Attempts to make models better. */
@Injectable()
export class ImprovementsRepository {
  readonly claims = new ClaimedRows(this.database, Prisma.sql`improvements`, Prisma.sql`ended_at IS NULL`);

  constructor(private readonly database: Database) {}

  async create({ id, projectRowId, settings, keyId, createdBy }: ImprovementDraft): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO improvements (project_id, id, settings, key_id, created_by)
      VALUES (${projectRowId}::uuid, ${id}::uuid, ${JSON.stringify(settings)}::jsonb, ${keyId}::uuid, ${createdBy}::uuid)`;
  }

  async find(id: string): Promise<ImprovementRecord | null> {
    const [row] = await this.query(Prisma.sql`WHERE i.id = ${id}::uuid`);
    return row ?? null;
  }

  /** The newest first, one more than a page. @param cursor id of the last one of the page before */
  list(projectRowId: string, cursor: string | undefined): Promise<ImprovementRecord[]> {
    const after = cursor === undefined ? Prisma.empty : Prisma.sql`AND i.id < ${cursor}::uuid`;
    return this.query(
      Prisma.sql`WHERE i.project_id = ${projectRowId}::uuid ${after} ORDER BY i.id DESC LIMIT ${PAGE + 1}`,
    );
  }

  async countOpen(projectRowId: string): Promise<number> {
    return this.database.client.improvement.count({ where: { projectId: projectRowId, endedAt: null } });
  }

  /** Stores how far a locked one is. */
  async save(id: string, progress: ImprovementProgress, end: ImprovementEnd | null): Promise<void> {
    const { step, currentStep, dataset, candidates, evaluationIds, currentRunId } = progress;
    const ended = end ? Prisma.sql`, status = ${end.status}, reason = ${end.reason}, ended_at = now()` : Prisma.empty;
    await this.database.client.$executeRaw`
      UPDATE improvements SET step = ${step}, current_step = ${currentStep}, dataset = ${dataset},
        candidates = ${JSON.stringify(candidates)}::jsonb, evaluation_ids = ${[...evaluationIds]}::uuid[],
        current_run_id = ${currentRunId} ${ended}
      WHERE id = ${id}::uuid`;
  }

  /** @returns false: it has ended before */
  async end(id: string, { status, reason }: ImprovementEnd): Promise<boolean> {
    const ended = await this.database.client.$executeRaw`
      UPDATE improvements SET status = ${status}, reason = ${reason}, ended_at = now(), claim = NULL
      WHERE id = ${id}::uuid AND ended_at IS NULL`;
    return ended > 0;
  }

  private query(condition: Prisma.Sql): Promise<ImprovementRecord[]> {
    return this.database.client.$queryRaw<ImprovementRecord[]>`SELECT ${COLUMNS} ${FROM} ${condition}`;
  }
}
