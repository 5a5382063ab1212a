import { CallWriteRepository } from '@hone/calls';
import { Database } from '@hone/database';
import { StoredTablesRepository } from '@hone/objects';
import { Injectable } from '@nestjs/common';

import { ScorerKinds } from '../kinds/kinds.js';
import { AnswerWorker } from '../queue/answer-worker.js';
import { JobRights } from '../queue/job-rights.service.js';
import { type Scorer, ScorerReader } from '../scorers/scorer-reader.service.js';
import { AnswersService } from './answers.service.js';
import { BaselineAnswersRepository } from './baseline-answers.repository.js';
import { CellFaults } from './cell-faults.service.js';
import { CellsRepository } from './cells.repository.js';
import type { CellClaim, EvaluationJob } from './evaluation-job.record.js';
import { DatasetNotFoundError } from './evaluation-jobs.errors.js';
import { EvaluationJobsRepository } from './evaluation-jobs.repository.js';
import { JobEnd } from './job-end.service.js';
import { RunCalls } from './run-calls.service.js';
import { ScoresService } from './scores.service.js';

/** Answers and batches of scores that one process works on at once. */
const SLOTS = 32;

/** Does what evaluations consist of: makes their cells, has them answered and scored, and ends them. */
@Injectable()
export class CellWorker extends AnswerWorker<EvaluationJob, CellClaim> {
  constructor(
    private readonly database: Database,
    private readonly jobs: EvaluationJobsRepository,
    private readonly cells: CellsRepository,
    private readonly baselines: BaselineAnswersRepository,
    private readonly tables: StoredTablesRepository,
    private readonly calls: CallWriteRepository,
    private readonly runs: RunCalls,
    private readonly answers: AnswersService,
    private readonly scores: ScoresService,
    scorers: ScorerReader,
    kinds: ScorerKinds,
    private readonly faults: CellFaults,
    private readonly ends: JobEnd,
    private readonly rights: JobRights,
  ) {
    super(cells, SLOTS, scorers, kinds);
  }

  protected override due(limit: number): Promise<EvaluationJob[]> {
    return this.jobs.due(limit);
  }

  protected override async advance(job: EvaluationJob, slots: number): Promise<boolean> {
    if (job.status === 'queued') return this.plan(job);
    if (job.status === 'running') return this.start(job, slots);
    this.launch(job, [], (signal) => this.ends.finish(job.id, signal));
    return true;
  }

  protected override fail(job: EvaluationJob, reason: string): Promise<boolean> {
    return this.ends.end(job.id, 'failed', reason);
  }

  protected override failClaims(job: EvaluationJob, claims: readonly CellClaim[]): Promise<void> {
    return this.faults.settle(job, claims);
  }

  protected override ask(job: EvaluationJob, claim: CellClaim, signal: AbortSignal): Promise<void> {
    return this.answers.answer(job, claim, signal);
  }

  protected override score(
    job: EvaluationJob,
    scorer: Scorer,
    claims: readonly CellClaim[],
    signal: AbortSignal,
  ): Promise<void> {
    return this.scores.score(job, scorer, claims, signal);
  }

  /** Makes the cells of a job, and begins its runs. Equal rows count once. @throws DatasetNotFoundError */
  private async plan({ id }: EvaluationJob): Promise<boolean> {
    return this.database.transaction(async () => {
      const job = await this.jobs.lockOpen(id);
      if (job?.status !== 'queued') return false;
      const known = new Set<string>();
      for (const chunk of await this.tables.readChunks(job.projectRowId, job.plan.table)) {
        const digests = [...new Set(chunk)].filter((digest) => !known.has(digest));
        if (digests.length > 0) await this.cells.createAnswers(job, digests, known.size + 1);
        for (const digest of digests) known.add(digest);
      }
      if (known.size === 0) throw new DatasetNotFoundError(job.plan.table);
      await this.setBaseline(job);
      await this.calls.save(job.plan.candidates.map((candidate) => this.runs.started(job, candidate)));
      await this.jobs.begin(id, known.size);
      return true;
    });
  }

  /** Of an earlier run, its answers are there. */
  private async setBaseline(job: EvaluationJob): Promise<void> {
    const { baseline } = job.plan;
    if (baseline?.candidate === null) await this.baselines.assign(job, baseline.runId);
  }

  private async start(job: EvaluationJob, slots: number): Promise<boolean> {
    await this.rights.assertMayGoOn(job);
    if (await this.ends.stopDeleted(job)) return true;
    const started = await this.startItems(job, slots);
    if (started === null) return this.ends.end(job.id, 'budget_spent');
    return started > 0 || this.ends.endSettled(job.id);
  }
}
