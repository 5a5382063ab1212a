import { type CallDraft, CallWriteRepository } from '@hone/calls';
import type { JsonObject, ScoringStatus } from '@hone/contracts';
import { Database, newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { CellsRepository } from './cells.repository.js';
import { DeletedRunsRepository } from './deleted-runs.repository.js';
import type { EvaluationJob, PlannedCandidate } from './evaluation-job.record.js';
import { EvaluationJobsRepository } from './evaluation-jobs.repository.js';
import { RunCalls } from './run-calls.service.js';
import { RunSummary } from './run-summary.js';

/** Why the runs of a job are not complete that does not say why it ended. */
const EXCEPTIONS: Partial<Record<ScoringStatus, string>> = {
  cancelled: 'The evaluation was cancelled.',
  budget_spent: 'The budget of the evaluation was spent.',
};

const KEEP_MS = 10_000;

/**
 * Ends jobs: what is in flight is still settled, then the summaries are written, once. That goes in pieces, each of which is a
 * short transaction: whatever is killed, the next process goes on with the piece.
 */
@Injectable()
export class JobEnd {
  constructor(
    private readonly database: Database,
    private readonly jobs: EvaluationJobsRepository,
    private readonly cells: CellsRepository,
    private readonly calls: CallWriteRepository,
    private readonly runs: RunCalls,
    private readonly deleted: DeletedRunsRepository,
  ) {}

  /** Says how a job ends; {@link finish} does it. @returns false: it was said before */
  end(id: string, status: ScoringStatus, error: string | null = null): Promise<boolean> {
    return this.jobs.setEnd(id, status, error);
  }

  /**
   * Stops what nobody will read: a job whose evaluation, or all of whose runs, were deleted is cancelled; of a run among others
   * what waits is given up.
   *
   * @returns whether the job is over
   */
  async stopDeleted(job: EvaluationJob): Promise<boolean> {
    if (await this.deleted.isEvaluationDeleted(job))
      return this.end(job.id, 'cancelled', 'Its evaluation was deleted.');
    const gone = await this.deleted.find(job);
    const { candidates } = job.plan;
    if (gone.size === candidates.length)
      return this.end(job.id, 'cancelled', `Its evaluation run${gone.size > 1 ? 's were' : ' was'} deleted.`);
    for (const [at, { runId }] of candidates.entries()) if (gone.has(runId)) await this.giveUp(job, at);
    return false;
  }

  /** Ends a job all of whose cells are settled. @returns whether it does */
  async endSettled(id: string): Promise<boolean> {
    return this.database.transaction(async () => {
      const job = await this.jobs.lockOpen(id);
      if (job?.status !== 'running') return false;
      const { waiting, inFlight } = await this.cells.countOpen(id);
      return waiting + inFlight === 0 && (await this.jobs.setEnd(id, 'done', null));
    });
  }

  /** Finishes a job that has ended, unless something of it is in flight, or another process does it. */
  async finish(id: string, signal: AbortSignal): Promise<void> {
    const claim = newId();
    const job = await this.jobs.takeEnded(id, claim);
    if (job === null) return;
    let mayHaveMore = true;
    while (mayHaveMore && !signal.aborted) mayHaveMore = await this.giveUp(job);
    const { inFlight } = await this.cells.countOpen(id);
    if (inFlight === 0 && !mayHaveMore) await this.endRuns(job, claim, signal);
    await this.jobs.leaveEnded(id, claim);
  }

  /** Deletes nothing once the failed cells of the job are retried: what waits then is to be done. @returns whether there may be more */
  private giveUp(job: EvaluationJob, candidate?: number): Promise<boolean> {
    return this.database.transaction(async () => {
      const now = await this.jobs.lockOpen(job.id);
      return isAsBefore(now, job) && this.cells.deleteWaiting(job.id, candidate);
    });
  }

  /** Cells of a job that has ended change no more, unless those that failed are tried again. */
  private async endRuns(job: EvaluationJob, claim: string, signal: AbortSignal): Promise<void> {
    const { candidates } = job.plan;
    // The runs of one without rows have not begun.
    for (let at = job.endedCandidates; job.rowCount !== null && at < candidates.length; at++) {
      const summary = await this.summaryOf(job, at, claim, signal);
      if (summary === null) return;
      const exception = job.error ?? EXCEPTIONS[job.status] ?? null;
      const ended = this.runs.ended(job, candidates[at] as PlannedCandidate, summary, exception);
      if (!(await this.endRun(job, at, ended))) return;
    }
    await this.jobs.setFinished(job);
  }

  /** @returns false: another process has done so */
  private endRun(job: EvaluationJob, at: number, ended: CallDraft): Promise<boolean> {
    return this.database.transaction(async () => {
      const now = await this.jobs.lockOpen(job.id);
      if (!isAsBefore(now, job) || now?.endedCandidates !== at) return false;
      if (!(await this.deleted.find(job)).has(ended.id)) await this.calls.save([ended]);
      await this.jobs.setEndedCandidates(job.id, at + 1);
      return true;
    });
  }

  /** @returns null: the process stops */
  private async summaryOf(
    job: EvaluationJob,
    candidate: number,
    claim: string,
    signal: AbortSignal,
  ): Promise<JsonObject | null> {
    const summary = new RunSummary(job.plan.scorers.map(({ objectId }) => objectId));
    let keptAt = performance.now();
    for await (const page of this.cells.settled(job.id, candidate)) {
      for (const cell of page) summary.add(cell);
      if (signal.aborted) return null;
      if (performance.now() - keptAt < KEEP_MS) continue;
      await this.jobs.keepEnded(job.id, claim);
      keptAt = performance.now();
    }
    return summary.toJson();
  }
}

/** Whether a job has neither ended nor been retried since it was read. */
const isAsBefore = (now: EvaluationJob | null, job: EvaluationJob): boolean =>
  now?.status === job.status && now.retries === job.retries;
