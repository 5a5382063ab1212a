import { type JsonValue, parseJson, stringifyJson } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { LeasedItemsRepository } from '../queue/leased-items.repository.js';
import { EvaluationMetrics } from '../telemetry/evaluation-metrics.js';
import type {
  EditFound,
  EditItem,
  EditItemClaim,
  EditItemSettlement,
  EditResult,
  PromptEditJob,
} from './prompt-edit.record.js';

/** Requests of a job in flight at once. */
const IN_FLIGHT = 8;

/** An edit as it is stored. */
export interface StoredEdit extends EditFound {
  readonly jobId: string;
  readonly candidate: number;
}

/** Edits, answers, and what scorers find about these. */
@Injectable()
export class EditItemsRepository extends LeasedItemsRepository<EditItemClaim> {
  constructor(database: Database, metrics: EvaluationMetrics) {
    const tables = {
      ...{ jobs: Prisma.sql`prompt_edits`, kind: 'prompt_edit_items', items: Prisma.sql`prompt_edit_items` },
      ...{ job: Prisma.sql`job_id`, id: Prisma.sql`uid` },
      claimed: Prisma.sql`, v.candidate, v.row_digest AS "rowDigest", v.scorer, v.parent`,
      sent: Prisma.sql`, score float8, result text`,
      // What comes once the job is over is forgotten at once, as what came before.
      assigned: Prisma.sql`, score = sent.score, result = CASE WHEN v.row_digest = '' OR EXISTS (
        SELECT FROM prompt_edits s WHERE s.id = v.job_id AND s.status = 'running') THEN sent.result END`,
    };
    super(database, tables, metrics);
  }

  /** {@link claim}s items, as many as the job may have in flight. @param free numbers of the scorers that cost nothing */
  claimOf(job: PromptEditJob, most: number, free: readonly number[]): Promise<EditItemClaim[] | null> {
    return this.claim(job, most, {
      mostInFlight: IN_FLIGHT,
      free: Prisma.sql`scorer = ANY(${[...free]}::int[])`,
    });
  }

  /** Of some jobs, without what came of them: edits, answers, their scores of the metric, and what is not settled yet. */
  async list(jobIds: readonly string[]): Promise<EditItem[]> {
    return this.database.client.$queryRaw<EditItem[]>`
      SELECT v.job_id AS "jobId", v.candidate, v.row_digest AS "rowDigest", v.scorer, v.parent, v.state, v.code, v.score
      FROM prompt_edit_items v JOIN prompt_edits s ON s.id = v.job_id
      WHERE v.job_id = ANY(${[...jobIds]}::uuid[])
        AND (v.scorer IN (0, (s.plan #>> '{metric,scorer}')::int) OR v.state IN ('pending', 'running'))`;
  }

  /** Within a transaction that has locked the job. */
  async askRows(
    { projectRowId, id }: PromptEditJob,
    candidates: readonly number[],
    rows: readonly string[],
  ): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO prompt_edit_items (project_id, job_id, candidate, row_digest)
      SELECT ${projectRowId}::uuid, ${id}::uuid, candidate, row
      FROM unnest(${[...candidates]}::int[]) AS candidate CROSS JOIN unnest(${[...rows]}::text[]) AS row
      ON CONFLICT (job_id, candidate, row_digest, scorer) DO NOTHING`;
  }

  /** Within a transaction that has locked the job. */
  async askEdit({ projectRowId, id }: PromptEditJob, candidate: number, parent: number): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO prompt_edit_items (project_id, job_id, candidate, parent)
      VALUES (${projectRowId}::uuid, ${id}::uuid, ${candidate}, ${parent})`;
  }

  /** Settles claims, and has scorers judge what was answered, in one transaction. */
  async settle(job: PromptEditJob, settlements: readonly EditItemSettlement[]): Promise<void> {
    const sent = settlements.map((one) => ({
      ...one,
      result: one.result && stringifyJson(one.result as unknown as JsonValue),
    }));
    await this.database.transaction(async () => {
      const settled = await this.settleClaims(job, sent);
      const answered = settlements.filter(({ id, state }) => state === 'done' && settled.has(id)).map(({ id }) => id);
      // Scores come before further answers, so that what was paid for is judged where the budget ends.
      await this.database.client.$executeRaw`
        INSERT INTO prompt_edit_items (project_id, job_id, candidate, row_digest, scorer, available_at)
        SELECT v.project_id, v.job_id, v.candidate, v.row_digest, number, s.created_at
        FROM prompt_edit_items v JOIN prompt_edits s ON s.id = v.job_id AND s.status = 'running'
        CROSS JOIN generate_series(1, ${job.plan.scorers.length}::int) AS number
        WHERE v.project_id = ${job.projectRowId}::uuid AND v.uid = ANY(${answered}::text[]) AND v.scorer = 0 AND v.row_digest <> ''
        ON CONFLICT (job_id, candidate, row_digest, scorer) DO NOTHING`;
    });
  }

  /** What came of items of a row, by the number of their scorer, 0 for the answer; of those that failed there is nothing. */
  async resultsOf<T extends EditResult>(
    { id }: Pick<PromptEditJob, 'id'>,
    candidate: number,
    rowDigest: string,
  ): Promise<Map<number, T>> {
    const rows = await this.database.client.$queryRaw<{ scorer: number; result: string }[]>`
      SELECT scorer, result FROM prompt_edit_items WHERE job_id = ${id}::uuid AND candidate = ${candidate} AND row_digest = ${rowDigest}
        AND result IS NOT NULL ORDER BY scorer`;
    return new Map(rows.map(({ scorer, result }) => [scorer, parseJson(result) as unknown as T]));
  }

  /** Of some jobs, in the order in which they were made. */
  async edits(jobIds: readonly string[]): Promise<StoredEdit[]> {
    const rows = await this.database.client.$queryRaw<{ jobId: string; candidate: number; result: string }[]>`
      SELECT job_id AS "jobId", candidate, result FROM prompt_edit_items
      WHERE job_id = ANY(${[...jobIds]}::uuid[]) AND row_digest = '' AND result IS NOT NULL ORDER BY candidate`;
    return rows.map(({ result, ...edit }) => ({ ...edit, ...(parseJson(result) as unknown as EditFound) }));
  }

  /** Of a job that ends: gives up what waits, and forgets answers and verdicts, whose calls are stored elsewhere. */
  async giveUp(jobId: string): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM prompt_edit_items WHERE job_id = ${jobId}::uuid AND state = 'pending'`;
    await this.database.client.$executeRaw`
      UPDATE prompt_edit_items SET result = NULL WHERE job_id = ${jobId}::uuid AND row_digest <> '' AND result IS NOT NULL`;
  }
}
