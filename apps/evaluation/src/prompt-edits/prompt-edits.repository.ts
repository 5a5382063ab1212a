import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { BestEdit, PromptEditJob } from './prompt-edit.record.js';

/** Jobs of a page: each has all its edits. */
export const PAGE = 20;

export type PromptEditDraft = Pick<
  PromptEditJob,
  'id' | 'projectRowId' | 'plan' | 'seed' | 'maxEvaluations' | 'maxCostNanoUsd' | 'keyId' | 'createdBy'
>;

/** How a job ends. */
export interface PromptEditEnd {
  readonly status: Exclude<PromptEditJob['status'], 'running'>;
  readonly error?: string | null;
  readonly best?: BestEdit | null;
}

const COLUMNS = Prisma.sql`s.id, s.project_id AS "projectRowId", e.name || '/' || p.name AS "projectId", s.plan, s.seed,
  s.max_evaluations AS "maxEvaluations", s.max_cost_nano_usd::float8 AS "maxCostNanoUsd", s.cost_nano_usd::float8 AS "costNanoUsd",
  s.status, s.best, s.error, s.key_id AS "keyId", s.created_by AS "createdBy", s.created_at AS "createdAt", s.finished_at AS "finishedAt"`;
const FROM = Prisma.sql`FROM prompt_edits s JOIN projects p ON p.id = s.project_id JOIN entities e ON e.id = p.entity_id`;

/** Jobs that edit prompts. */
@Injectable()
export class PromptEditsRepository {
  constructor(private readonly database: Database) {}

  async create(draft: PromptEditDraft): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO prompt_edits (project_id, id, plan, seed, max_evaluations, max_cost_nano_usd, status, key_id, created_by)
      VALUES (${draft.projectRowId}::uuid, ${draft.id}::uuid, ${JSON.stringify(draft.plan)}::jsonb, ${draft.seed},
        ${draft.maxEvaluations}, ${draft.maxCostNanoUsd}::float8::bigint, 'running', ${draft.keyId}::uuid, ${draft.createdBy}::uuid)`;
  }

  async find(id: string): Promise<PromptEditJob | null> {
    const [row] = await this.database.client.$queryRaw<PromptEditJob[]>`
      SELECT ${COLUMNS} ${FROM} WHERE s.id = ${id}::uuid`;
    return row ?? null;
  }

  /** The newest first, one more than a page. @param cursor id of the last one of the page before */
  async list(projectRowId: string, cursor: string | undefined): Promise<PromptEditJob[]> {
    const after = cursor === undefined ? Prisma.empty : Prisma.sql`AND s.id < ${cursor}::uuid`;
    return this.database.client.$queryRaw<PromptEditJob[]>`
      SELECT ${COLUMNS} ${FROM} WHERE s.project_id = ${projectRowId}::uuid ${after} ORDER BY s.id DESC LIMIT ${PAGE + 1}`;
  }

  async countOpen(projectRowId: string): Promise<number> {
    return this.database.client.promptEdit.count({ where: { projectId: projectRowId, finishedAt: null } });
  }

  /** Those that have something to do: items to settle, or none left, so that the next step is to be found. */
  async due(limit: number): Promise<PromptEditJob[]> {
    return this.database.client.$queryRaw<PromptEditJob[]>`
      SELECT ${COLUMNS} ${FROM} WHERE s.finished_at IS NULL AND (
        EXISTS (SELECT FROM prompt_edit_items v WHERE v.job_id = s.id
          AND ((v.state = 'pending' AND v.available_at <= now()) OR (v.state = 'running' AND v.lease_expires_at < now())))
        OR NOT EXISTS (SELECT FROM prompt_edit_items v WHERE v.job_id = s.id AND v.state IN ('pending', 'running')))
      ORDER BY random() LIMIT ${limit}`;
  }

  /** Within a transaction: keeps a job from changing. @returns whether it runs */
  async lockRunning(id: string): Promise<boolean> {
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT FROM prompt_edits WHERE id = ${id}::uuid AND status = 'running' FOR UPDATE`;
    return rows.length > 0;
  }

  /** Of a locked job. */
  async end(id: string, { status, error = null, best = null }: PromptEditEnd): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE prompt_edits SET status = ${status}, error = ${error}, best = ${best && JSON.stringify(best)}::jsonb, finished_at = now()
      WHERE id = ${id}::uuid`;
  }
}
