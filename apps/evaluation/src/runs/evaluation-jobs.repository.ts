import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { COSTS_SINCE_NOW } from '../queue/retried-item.sql.js';
import type { CellCount, EvaluationJob, PlannedBaseline } from './evaluation-job.record.js';

export const PAGE = 50;

export type EvaluationJobDraft = Pick<
  EvaluationJob,
  'id' | 'projectRowId' | 'plan' | 'trials' | 'concurrency' | 'seed' | 'maxCostNanoUsd' | 'keyId' | 'createdBy'
>;

const COLUMNS = Prisma.sql`s.id, s.project_id AS "projectRowId", e.name || '/' || p.name AS "projectId", s.plan, s.trials, s.concurrency,
  s.seed, s.max_cost_nano_usd::float8 AS "maxCostNanoUsd", s.cost_nano_usd::float8 AS "costNanoUsd", s.status,
  s.row_count AS "rowCount", s.error, s.key_id AS "keyId", s.created_by AS "createdBy", s.created_at AS "createdAt",
  s.finished_at AS "finishedAt", s.ended_candidates AS "endedCandidates", s.retries, s.counts`;
const FROM = Prisma.sql`FROM evaluation_jobs s JOIN projects p ON p.id = s.project_id JOIN entities e ON e.id = p.entity_id`;

/** Days for which the cells of a job `s` are kept once it has finished. */
const KEPT_DAYS = 30;
const IS_OLD = Prisma.sql`s.finished_at < now() - ${KEPT_DAYS} * interval '1 day'`;

/** A process that writes summaries has the job for so long, and extends that while it does. */
const ENDING_SECONDS = 30;

/** Whether a cell `v` waits, or its worker is gone. */
const IS_DUE = Prisma.sql`((v.state = 'pending' AND v.available_at <= now()) OR (v.state = 'running' AND v.lease_expires_at < now()))`;

@Injectable()
export class EvaluationJobsRepository {
  constructor(private readonly database: Database) {}

  async create(draft: EvaluationJobDraft): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO evaluation_jobs (project_id, id, plan, trials, concurrency, seed, max_cost_nano_usd, status, key_id, created_by)
      VALUES (${draft.projectRowId}::uuid, ${draft.id}::uuid, ${JSON.stringify(draft.plan)}::jsonb, ${draft.trials},
        ${draft.concurrency}, ${draft.seed}, ${draft.maxCostNanoUsd}::float8::bigint, 'queued', ${draft.keyId}::uuid,
        ${draft.createdBy}::uuid)`;
  }

  async find(id: string): Promise<EvaluationJob | null> {
    const [row] = await this.database.client.$queryRaw<EvaluationJob[]>`
      SELECT ${COLUMNS} ${FROM} WHERE s.id = ${id}::uuid`;
    return row ?? null;
  }

  /** At most {@link PAGE} and one more, the newest first. @param before id of the last one of the page before */
  async list(projectRowId: string, before: string | undefined): Promise<EvaluationJob[]> {
    const older = before === undefined ? Prisma.empty : Prisma.sql`AND s.id < ${before}::uuid`;
    return this.database.client.$queryRaw<EvaluationJob[]>`
      SELECT ${COLUMNS} ${FROM} WHERE s.project_id = ${projectRowId}::uuid ${older} ORDER BY s.id DESC LIMIT ${PAGE + 1}`;
  }

  /** Those that have something to do: cells to make, to settle, or none left, so that the summaries can be written. */
  async due(limit: number): Promise<EvaluationJob[]> {
    return this.database.client.$queryRaw<EvaluationJob[]>`
      SELECT ${COLUMNS} ${FROM} WHERE s.finished_at IS NULL AND CASE s.status
        WHEN 'queued' THEN true
        WHEN 'running' THEN EXISTS (SELECT FROM evaluation_cells v WHERE v.job_id = s.id AND ${IS_DUE})
          OR NOT EXISTS (SELECT FROM evaluation_cells v WHERE v.job_id = s.id AND v.state IN ('pending', 'running'))
        ELSE (s.ending_until IS NULL OR s.ending_until < now()) AND NOT EXISTS (
          SELECT FROM evaluation_cells v WHERE v.job_id = s.id AND v.state = 'running' AND v.lease_expires_at >= now()) END
      ORDER BY random() LIMIT ${limit}`;
  }

  async countOpen(projectRowId: string): Promise<number> {
    return this.database.client.evaluationJob.count({ where: { projectId: projectRowId, finishedAt: null } });
  }

  /** Counts the cells of jobs by the index of their job; those of one that has finished are counted once, and kept. */
  async countsOf(jobs: readonly EvaluationJob[]): Promise<CellCount[]> {
    const others = jobs.filter(({ counts }) => counts === null);
    const counted = others.length > 0 ? await this.count(others.map(({ id }) => id)) : [];
    for (const job of others)
      if (job.finishedAt !== null)
        await this.keepCounts(
          job,
          counted.filter(({ jobId }) => jobId === job.id),
        );
    return [...jobs.flatMap(({ counts }) => counts ?? []), ...counted];
  }

  private async count(ids: readonly string[]): Promise<CellCount[]> {
    return this.database.client.$queryRaw<CellCount[]>`
      SELECT job_id AS "jobId", candidate, scorer > 0 AS "isScore", state, code, count(*)::int AS cells,
        sum(cost_nano_usd)::float8 AS "costNanoUsd", min(row_digest) AS "rowDigest"
      FROM evaluation_cells WHERE job_id = ANY(${[...ids]}::uuid[]) GROUP BY 1, 2, 3, 4, 5 ORDER BY 6 DESC, 5`;
  }

  /** Not where a cost was booked since the job was read, or it goes on. */
  private async keepCounts(job: EvaluationJob, counts: readonly CellCount[]): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE evaluation_jobs SET counts = ${JSON.stringify(counts)}::jsonb
      WHERE id = ${job.id}::uuid AND finished_at = ${job.finishedAt} AND cost_nano_usd = ${job.costNanoUsd}::float8::bigint
        AND counts IS NULL`;
  }

  /** One that finished so long ago that its cells are to be deleted. */
  async findOld(): Promise<EvaluationJob | null> {
    const [row] = await this.database.client.$queryRaw<EvaluationJob[]>`
      SELECT ${COLUMNS} ${FROM} WHERE ${IS_OLD} AND s.cells_deleted_at IS NULL LIMIT 1`;
    return row ?? null;
  }

  /** Locks such a job until the transaction ends. @returns whether its counts are kept, and it is still old */
  async lockOld(id: string): Promise<boolean> {
    const locked = await this.database.client.$queryRaw<unknown[]>`
      SELECT FROM evaluation_jobs s WHERE s.id = ${id}::uuid AND ${IS_OLD} AND s.counts IS NOT NULL FOR UPDATE`;
    return locked.length > 0;
  }

  async setCellsDeleted(id: string): Promise<void> {
    await this.database.client.$executeRaw`UPDATE evaluation_jobs SET cells_deleted_at = now() WHERE id = ${id}::uuid`;
  }

  /** Locks a job until the transaction ends, as it is then; null: it has finished. */
  async lockOpen(id: string): Promise<EvaluationJob | null> {
    const locked = await this.database.client.$queryRaw<unknown[]>`
      SELECT FROM evaluation_jobs WHERE id = ${id}::uuid AND finished_at IS NULL FOR UPDATE`;
    return locked.length === 0 ? null : this.find(id);
  }

  /** Lets a job begin. @param rowCount different rows of its dataset */
  async begin(id: string, rowCount: number): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE evaluation_jobs SET status = 'running', row_count = ${rowCount} WHERE id = ${id}::uuid`;
  }

  /** Says how a job ends, unless that is said. @returns whether it was not */
  async setEnd(id: string, status: EvaluationJob['status'], error: string | null): Promise<boolean> {
    const ended = await this.database.client.$executeRaw`
      UPDATE evaluation_jobs SET status = ${status}, error = ${error}
      WHERE id = ${id}::uuid AND status IN ('queued', 'running')`;
    return ended > 0;
  }

  /**
   * Gives a job that has ended to this process, which writes its summaries.
   *
   * @param claim a new id: only who knows it can keep the job, or leave it
   * @returns null: another process has it, or it has finished
   */
  async takeEnded(id: string, claim: string): Promise<EvaluationJob | null> {
    const taken = await this.database.client.$executeRaw`
      UPDATE evaluation_jobs SET ending_by = ${claim}::uuid, ending_until = now() + ${ENDING_SECONDS} * interval '1 second'
      WHERE id = ${id}::uuid AND finished_at IS NULL AND status NOT IN ('queued', 'running')
        AND (ending_until IS NULL OR ending_until < now())`;
    return taken === 0 ? null : this.find(id);
  }

  /** Keeps {@link takeEnded}. */
  async keepEnded(id: string, claim: string): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE evaluation_jobs SET ending_until = now() + ${ENDING_SECONDS} * interval '1 second'
      WHERE id = ${id}::uuid AND ending_by = ${claim}::uuid`;
  }

  /** Lets another process, or this one, write what is left. */
  async leaveEnded(id: string, claim: string): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE evaluation_jobs SET ending_by = NULL, ending_until = NULL WHERE id = ${id}::uuid AND ending_by = ${claim}::uuid`;
  }

  async setEndedCandidates(id: string, count: number): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE evaluation_jobs SET ended_candidates = ${count} WHERE id = ${id}::uuid`;
  }

  /** Unless its failed cells are tried again meanwhile. */
  async setFinished({ id, retries }: EvaluationJob): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE evaluation_jobs SET finished_at = now(), ending_by = NULL, ending_until = NULL WHERE id = ${id}::uuid AND retries = ${retries}
        AND status NOT IN ('queued', 'running')`;
  }

  /** Lets the cells that failed be tried once more. Those of a job that finished long ago are deleted, or about to be. */
  async retry({ id, plan }: EvaluationJob): Promise<void> {
    await this.database.transaction(async () => {
      const locked = await this.database.client.$queryRaw<unknown[]>`
        SELECT FROM evaluation_jobs s WHERE s.id = ${id}::uuid AND s.status IN ('running', 'done') AND ${IS_OLD} IS NOT TRUE FOR UPDATE`;
      if (locked.length === 0) return;
      await this.lockRetried(id, plan.baseline);
      if (plan.baseline) await this.deleteWithoutBaseline(id, plan.baseline);
      const failed = await this.database.client.$executeRaw`
        UPDATE evaluation_cells SET state = 'pending', failures = 0, code = NULL, result = NULL, available_at = now(), settled_at = NULL,
          ${COSTS_SINCE_NOW}
        WHERE job_id = ${id}::uuid AND state = 'failed'`;
      if (failed > 0)
        await this.database.client.$executeRaw`
          UPDATE evaluation_jobs SET status = 'running', error = NULL, finished_at = NULL, ended_candidates = 0, ending_by = NULL,
            ending_until = NULL, counts = NULL, retries = retries + 1 WHERE id = ${id}::uuid`;
    });
  }

  /** In the order of their ids, as everywhere: so nobody deadlocks. */
  private async lockRetried(id: string, baseline: PlannedBaseline | undefined): Promise<void> {
    const scorers = [...(baseline?.scorers ?? [])];
    await this.database.client.$queryRaw`
      SELECT FROM evaluation_cells WHERE job_id = ${id}::uuid
        AND (state = 'failed' OR (against_call IS NULL AND scorer = ANY(${scorers}::int[])))
      ORDER BY project_id, uid FOR UPDATE`;
  }

  /** Deletes comparisons that lack the answer of a baseline which is to be retried: they are made again once it is settled. */
  private async deleteWithoutBaseline(id: string, { candidate, scorers }: PlannedBaseline): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM evaluation_cells c USING evaluation_cells b
      WHERE c.job_id = ${id}::uuid AND c.scorer = ANY(${[...scorers]}::int[]) AND c.against_call IS NULL
        AND b.job_id = c.job_id AND b.candidate = ${candidate} AND b.row_digest = c.row_digest AND b.trial = c.trial
        AND b.scorer = 0 AND b.state = 'failed'`;
  }
}
