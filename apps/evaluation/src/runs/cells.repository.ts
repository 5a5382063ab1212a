import { type CallDraft, CallWriteRepository } from '@hone/calls';
import { Database, GroupCommit, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { LeasedItemsRepository } from '../queue/leased-items.repository.js';
import { EvaluationMetrics } from '../telemetry/evaluation-metrics.js';
import { DeletedRunsRepository } from './deleted-runs.repository.js';
import type {
  CellClaim,
  CellSettlement,
  EvaluationJob,
  PlannedBaseline,
  SettledCell,
} from './evaluation-job.record.js';
import { type CellPlace, settledPage } from './settled-cells.sql.js';

/** Cells of a page of the summary: more at once would hold up requests. */
const PAGE = 2_000;
/** Cells that are given up in one transaction. */
const DELETED = 5_000;

const GROUP_LIMITS = { rows: 256, bytes: 4 * 1_048_576 };

/** What is settled together. */
interface Batch {
  readonly job: EvaluationJob;
  readonly settlements: readonly CellSettlement[];
  readonly drafts: readonly CallDraft[];
}

/** Cells of evaluations: answers, and what scorers find about them. */
@Injectable()
export class CellsRepository extends LeasedItemsRepository<CellClaim> {
  private readonly commits = new GroupCommit<Batch, undefined>((batches) => this.settleAll(batches), GROUP_LIMITS);

  constructor(
    database: Database,
    private readonly calls: CallWriteRepository,
    private readonly deleted: DeletedRunsRepository,
    metrics: EvaluationMetrics,
  ) {
    const tables = {
      jobs: Prisma.sql`evaluation_jobs`,
      kind: 'evaluation_cells',
      items: Prisma.sql`evaluation_cells`,
      job: Prisma.sql`job_id`,
      id: Prisma.sql`uid`,
      claimed: Prisma.sql`, v.candidate, v.row_digest AS "rowDigest", v.row_number AS "rowNumber", v.trial, v.scorer,
        v.answer_uid AS "answerUid", v.against_call AS "againstCall"`,
      sent: Prisma.sql`, result jsonb`,
      assigned: Prisma.sql`, result = sent.result`,
      booked: Prisma.sql`, counts = CASE WHEN cells_deleted_at IS NOT NULL THEN counts END`,
    };
    super(database, tables, metrics);
  }

  /**
   * {@link claim}s cells, as many as the job may have in flight.
   *
   * @param free numbers of the scorers that cost nothing
   */
  claimOf(job: EvaluationJob, most: number, free: readonly number[]): Promise<CellClaim[] | null> {
    return this.claim(job, most, {
      mostInFlight: job.concurrency,
      free: Prisma.sql`scorer = ANY(${[...free]}::int[])`,
    });
  }

  /** Gives each candidate a cell for each row and trial. @param digests of the rows, each once */
  async createAnswers(
    { id, projectRowId, plan, trials }: EvaluationJob,
    digests: readonly string[],
    firstNumber: number,
  ): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO evaluation_cells (project_id, job_id, candidate, row_digest, row_number, trial)
      SELECT ${projectRowId}::uuid, ${id}::uuid, candidate, row.digest, row.number + ${firstNumber - 1}::int, trial
      FROM unnest(${[...digests]}::text[]) WITH ORDINALITY AS row (digest, number)
      CROSS JOIN generate_series(0, ${trials - 1}::int) AS trial
      CROSS JOIN generate_series(0, ${plan.candidates.length - 1}::int) AS candidate`;
  }

  /**
   * Settles claims, stores their calls, and has scorers judge what was answered, in one transaction.
   *
   * @param drafts calls of settled cells, whose ids are those of the cells
   */
  async settle(
    job: EvaluationJob,
    settlements: readonly CellSettlement[],
    drafts: readonly CallDraft[],
  ): Promise<void> {
    await this.commits.submit({ job, settlements, drafts }, lengthOf(drafts));
  }

  /** One after the other within a job, whose row they lock; what comes meanwhile is settled together. */
  private async settleAll(batches: readonly Batch[]): Promise<undefined[]> {
    const jobs = new Map(batches.map(({ job }) => [job.id, job]));
    const settled = [...jobs.values()].map((job) => {
      const own = batches.filter((batch) => batch.job.id === job.id);
      return this.settleTogether(
        job,
        own.flatMap(({ settlements }) => settlements),
        own.flatMap(({ drafts }) => drafts),
      );
    });
    await Promise.all(settled);
    return batches.map(() => undefined);
  }

  private async settleTogether(
    job: EvaluationJob,
    settlements: readonly CellSettlement[],
    drafts: readonly CallDraft[],
  ): Promise<void> {
    await this.database.transaction(async () => {
      const settled = await this.settleClaims(job, settlements);
      // Of a run that was deleted meanwhile nothing more is stored.
      const gone = await this.deleted.find(job);
      const isGone = ({ start }: CallDraft) => gone.has(start?.traceId ?? '');
      const kept = drafts.filter((draft) => settled.has(draft.id) && !isGone(draft));
      if (kept.length > 0) await this.calls.save(kept);
      const goneIds = new Set(drafts.filter(isGone).map(({ id }) => id));
      const ended = settlements.filter(({ id, state }) => state !== 'pending' && settled.has(id) && !goneIds.has(id));
      const answered = ended.filter(({ state }) => state === 'done').map(({ id }) => id);
      if (answered.length > 0) await this.createScores(job, answered);
      const { baseline } = job.plan;
      if (baseline && baseline.candidate !== null && ended.length > 0) {
        const ids = ended.map(({ id }) => id);
        await this.createComparisons(job, { ...baseline, candidate: baseline.candidate }, ids);
      }
    });
  }

  /** Scores come before further answers, so that what was paid for is judged where the budget ends. */
  private async createScores({ id, projectRowId, plan }: EvaluationJob, answers: readonly string[]): Promise<void> {
    const { baseline } = plan;
    // Those that compare candidates wait for both answers.
    const later = baseline && baseline.candidate !== null ? baseline.scorers : [];
    const numbers = plan.scorers.map((_scorer, at) => at + 1).filter((number) => !later.includes(number));
    await this.database.client.$executeRaw`
      INSERT INTO evaluation_cells (project_id, job_id, candidate, row_digest, row_number, trial, scorer, answer_uid, against_call, available_at)
      SELECT v.project_id, v.job_id, v.candidate, v.row_digest, v.row_number, v.trial, number, v.uid, v.against_call, s.created_at
      FROM evaluation_cells v JOIN evaluation_jobs s ON s.id = v.job_id AND s.status = 'running'
      CROSS JOIN unnest(${numbers}::int[]) AS number
      WHERE v.project_id = ${projectRowId}::uuid AND v.uid = ANY(${[...answers]}::text[]) AND v.job_id = ${id}::uuid
        AND v.scorer = 0`;
  }

  /**
   * Has answers compared with those of a candidate, once both are settled: whichever comes last, under the lock of the job.
   * Where the baseline has no answer, the comparison says so.
   *
   * @param ended uids of answers that are settled, and perhaps of other cells
   */
  private async createComparisons(
    { id, projectRowId }: EvaluationJob,
    { candidate, scorers }: PlannedBaseline & { readonly candidate: number },
    ended: readonly string[],
  ): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO evaluation_cells (project_id, job_id, candidate, row_digest, row_number, trial, scorer, answer_uid, against_call, available_at)
      SELECT v.project_id, v.job_id, v.candidate, v.row_digest, v.row_number, v.trial, number, v.uid,
        CASE WHEN b.state = 'done' THEN b.uid END, s.created_at
      FROM evaluation_cells e
      JOIN evaluation_cells b ON b.job_id = e.job_id AND b.candidate = ${candidate} AND b.row_digest = e.row_digest
        AND b.trial = e.trial AND b.scorer = 0 AND b.settled_at IS NOT NULL
      JOIN evaluation_cells v ON v.job_id = e.job_id AND v.row_digest = e.row_digest AND v.trial = e.trial AND v.scorer = 0
        AND v.candidate <> ${candidate} AND v.state = 'done' AND (e.uid = b.uid OR e.uid = v.uid)
      JOIN evaluation_jobs s ON s.id = e.job_id AND s.status = 'running'
      CROSS JOIN unnest(${[...scorers]}::int[]) AS number
      WHERE e.project_id = ${projectRowId}::uuid AND e.uid = ANY(${[...ended]}::text[]) AND e.job_id = ${id}::uuid
        AND e.scorer = 0
      ON CONFLICT (job_id, candidate, row_digest, trial, scorer) DO NOTHING`;
  }

  /** Whether something waits or is in flight; without a worker that is gone it is not. */
  async countOpen(jobId: string): Promise<{ waiting: number; inFlight: number }> {
    const [open] = await this.database.client.$queryRaw<{ waiting: number; inFlight: number }[]>`
      SELECT count(*) FILTER (WHERE state = 'pending' OR lease_expires_at < now())::int AS waiting,
        count(*) FILTER (WHERE state = 'running' AND lease_expires_at >= now())::int AS "inFlight"
      FROM evaluation_cells WHERE job_id = ${jobId}::uuid AND state IN ('pending', 'running')`;
    return open as { waiting: number; inFlight: number };
  }

  /**
   * Gives up some of what waits, and of what a worker that is gone left, below the lock of the job.
   *
   * @param candidate absent: of all
   * @returns whether there may be more
   */
  deleteWaiting(jobId: string, candidate?: number): Promise<boolean> {
    const own = candidate === undefined ? Prisma.empty : Prisma.sql`AND v.candidate = ${candidate}`;
    return this.delete(
      jobId,
      Prisma.sql`(v.state = 'pending' OR (v.state = 'running' AND v.lease_expires_at < now())) ${own}`,
    );
  }

  /** Deletes some cells, whatever their state. @returns whether there may be more */
  deleteSome(jobId: string): Promise<boolean> {
    return this.delete(jobId, Prisma.sql`true`);
  }

  /** Locks them first, in the order of their ids, as everywhere: so nobody deadlocks. */
  private async delete(jobId: string, condition: Prisma.Sql): Promise<boolean> {
    const deleted = await this.database.client.$executeRaw`
      WITH chosen AS MATERIALIZED (
        SELECT v.project_id, v.uid FROM evaluation_cells v WHERE v.job_id = ${jobId}::uuid AND ${condition} LIMIT ${DELETED}
      ), locked AS MATERIALIZED (
        SELECT v.project_id, v.uid FROM evaluation_cells v JOIN chosen USING (project_id, uid)
        WHERE ${condition} ORDER BY v.project_id, v.uid FOR UPDATE OF v)
      DELETE FROM evaluation_cells v USING locked WHERE v.project_id = locked.project_id AND v.uid = locked.uid`;
    return deleted === DELETED;
  }

  /** The settled cells of a candidate, a page after the other, in an order that is the same each time. */
  async *settled(jobId: string, candidate: number): AsyncGenerator<SettledCell[]> {
    let last: CellPlace = { rowDigest: '', trial: 0, scorer: -1 };
    for (;;) {
      const page = await this.database.client.$queryRaw<(SettledCell & CellPlace)[]>(
        settledPage(jobId, candidate, last, PAGE),
      );
      yield page;
      if (page.length < PAGE) return;
      last = page.at(-1) as CellPlace;
    }
  }
}

const lengthOf = (drafts: readonly CallDraft[]): number =>
  drafts.reduce((sum, { start, end }) => sum + (start?.inputs.text.length ?? 0) + (end?.output.text.length ?? 0), 0);
