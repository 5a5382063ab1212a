import { type CallSelection, fromSelection, JOIN_VALUES } from '@hone/call-queries';
import { ValueRepository } from '@hone/calls';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** A call, as far as what it used goes. */
export interface UsedCall {
  id: string;
  parentId: string | null;
  startedAt: Date;
  isRunning: boolean;
  /** Exact text of its summary; null: it runs. */
  summary: string | null;
}

type Row = Omit<UsedCall, 'summary'> & { text: string | null; blob: string | null };

/** Reads what calls used. */
@Injectable()
export class UsageRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** Calls and all that they made, at most `limit`, each once. */
  async listTrees(projectRowId: string, callIds: string[], limit: number): Promise<UsedCall[]> {
    const rows = await this.database.client.$queryRaw<Row[]>`
      WITH RECURSIVE tree AS (
        SELECT c.id FROM calls c WHERE c.project_id = ${projectRowId}::uuid AND c.id = ANY(${callIds})
        UNION
        SELECT c.id FROM tree t JOIN calls c ON c.project_id = ${projectRowId}::uuid AND c.parent_id = t.id)
      SELECT ${COLUMNS} FROM (SELECT id FROM tree LIMIT ${limit}) t
      JOIN calls c ON c.project_id = ${projectRowId}::uuid AND c.id = t.id ${JOIN_VALUES}
      WHERE c.deleted_at IS NULL AND c.started_at IS NOT NULL`;
    return this.toCalls(projectRowId, rows);
  }

  /** Calls that meet conditions, at most `limit`. */
  async list(selection: CallSelection, limit: number): Promise<UsedCall[]> {
    const from = fromSelection({ ...selection, needsValues: true });
    const rows = await this.database.client.$queryRaw<Row[]>`SELECT ${COLUMNS} ${from} LIMIT ${limit}`;
    return this.toCalls(selection.projectRowId, rows);
  }

  private async toCalls(projectRowId: string, rows: Row[]): Promise<UsedCall[]> {
    const calls: UsedCall[] = [];
    for (const { text, blob, ...row } of rows)
      calls.push({ ...row, summary: await this.values.get(projectRowId, { text, blob }) });
    return calls;
  }
}

const COLUMNS = Prisma.sql`c.id, c.parent_id AS "parentId", c.started_at AS "startedAt", c.ended_at IS NULL AS "isRunning",
  v.summary_text AS text, v.summary_blob AS blob`;
