import { CallWriteRepository } from '@hone/calls';
import type { JsonObject, ScoringStatus } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { CellsRepository } from './cells.repository.js';
import type { EvaluationJob } from './evaluation-job.record.js';
import { EvaluationJobsRepository } from './evaluation-jobs.repository.js';
import { RunCalls } from './run-calls.service.js';
import { RunSummary } from './run-summary.js';

/** Why the runs of a job that was not done are not complete; those of one that failed say what it says. */
const EXCEPTIONS: Partial<Record<ScoringStatus, string>> = {
  cancelled: 'The evaluation was cancelled.',
  budget_spent: 'The budget of the evaluation was spent.',
};

/** Ends jobs: what is in flight is still settled, then the summaries are written, once. */
@Injectable()
export class JobEnd {
  constructor(
    private readonly database: Database,
    private readonly jobs: EvaluationJobsRepository,
    private readonly cells: CellsRepository,
    private readonly calls: CallWriteRepository,
    private readonly runs: RunCalls,
  ) {}

  /** @returns false: it was said before how it ends */
  async end(id: string, status: ScoringStatus, error: string | null = null): Promise<boolean> {
    return this.database.transaction(async () => {
      if ((await this.jobs.lockOpen(id)) === null) return false;
      const isEnded = await this.jobs.setEnd(id, status, error);
      await this.close(id);
      return isEnded;
    });
  }

  /** Ends a job all of whose cells are settled. */
  async endSettled(id: string): Promise<void> {
    await this.database.transaction(async () => {
      const job = await this.jobs.lockOpen(id);
      if (job?.status !== 'running') return;
      const { waiting, inFlight } = await this.cells.countOpen(id);
      if (waiting + inFlight > 0) return;
      await this.jobs.setEnd(id, 'done', null);
      await this.close(id);
    });
  }

  /** Finishes a job that has ended, once nothing of it is in flight. */
  async finish(id: string): Promise<void> {
    await this.database.transaction(async () => {
      if ((await this.jobs.lockOpen(id)) !== null) await this.close(id);
    });
  }

  /** Under the lock of the job. */
  private async close(id: string): Promise<void> {
    await this.cells.deleteWaiting(id);
    const { inFlight } = await this.cells.countOpen(id);
    if (inFlight > 0) return;
    const job = (await this.jobs.find(id)) as EvaluationJob;
    await this.jobs.setFinished(id);
    if (job.rowCount === null) return; // its runs have not begun
    const exception = EXCEPTIONS[job.status] ?? job.error;
    const ends = [];
    for (const [at, candidate] of job.plan.candidates.entries())
      ends.push(this.runs.ended(job, candidate, await this.summaryOf(job, at), exception));
    await this.calls.save(ends);
  }

  private async summaryOf(job: EvaluationJob, candidate: number): Promise<JsonObject> {
    const summary = new RunSummary(job.plan.scorers.map(({ objectId }) => objectId));
    for await (const page of this.cells.settled(job.id, candidate)) for (const cell of page) summary.add(cell);
    return summary.toJson();
  }
}
