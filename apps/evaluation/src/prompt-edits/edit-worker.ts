import { toUsd } from '@hone/calls';
import { Injectable } from '@nestjs/common';

import { ScorerKinds } from '../kinds/kinds.js';
import { toSettlement } from '../queue/attempts.js';
import { JobRights } from '../queue/job-rights.service.js';
import { QueueWorker } from '../queue/queue-worker.js';
import { type Scorer, ScorerReader } from '../scorers/scorer-reader.service.js';
import { EditItemsRepository } from './edit-items.repository.js';
import { EditsService } from './edits.service.js';
import type { EditItemClaim, PromptEditJob } from './prompt-edit.record.js';
import { PromptEditsRepository } from './prompt-edits.repository.js';
import { RowAnswers } from './row-answers.service.js';
import { RowScores } from './row-scores.service.js';
import { SearchSteps } from './search-steps.service.js';

/** Requests that one process works on at once. */
const SLOTS = 16;
const FAULT = { state: 'failed', code: 'editing_failed', costNanoUsd: 0, isCostOpen: true, isTransient: true } as const;

/** Has prompts edited, answered with and scored, and finds what comes next. */
@Injectable()
export class EditWorker extends QueueWorker<PromptEditJob, EditItemClaim> {
  constructor(
    private readonly jobs: PromptEditsRepository,
    private readonly editItems: EditItemsRepository,
    private readonly steps: SearchSteps,
    private readonly edits: EditsService,
    private readonly answers: RowAnswers,
    private readonly scores: RowScores,
    private readonly scorers: ScorerReader,
    private readonly kinds: ScorerKinds,
    private readonly rights: JobRights,
  ) {
    super(editItems, SLOTS);
  }

  protected override due(limit: number): Promise<PromptEditJob[]> {
    return this.jobs.due(limit);
  }

  protected override async advance(job: PromptEditJob, slots: number): Promise<boolean> {
    await this.rights.assertMayGoOn(job);
    const scorers = await this.scorersOf(job);
    const checks = scorers.flatMap(({ definition }, at) => (definition.kind === 'check' ? [at + 1] : []));
    const claims = await this.editItems.claimOf(job, slots, checks);
    if (claims === null) return this.fail(job, `Its budget of ${toUsd(job.maxCostNanoUsd ?? 0)} US dollars is spent.`);
    if (claims.length === 0) return this.steps.next(job);
    for (const claim of claims.filter(({ scorer }) => scorer === 0)) this.ask(job, claim);
    for (const [at, scorer] of scorers.entries())
      this.startScores(
        job,
        scorer,
        claims.filter((claim) => claim.scorer === at + 1),
      );
    return true;
  }

  protected override fail(job: PromptEditJob, error: string): Promise<boolean> {
    return this.steps.end(job.id, { status: 'failed', error });
  }

  protected override failClaims(job: PromptEditJob, claims: readonly EditItemClaim[]): Promise<void> {
    const settlements = claims.map((claim) => ({ ...toSettlement(claim, FAULT), score: null, result: null }));
    return this.editItems.settle(job, settlements);
  }

  private ask(job: PromptEditJob, claim: EditItemClaim): void {
    const by = claim.rowDigest === '' ? this.edits.edit.bind(this.edits) : this.answers.answer.bind(this.answers);
    this.launch(job, [claim], (signal) => by(job, claim, signal));
  }

  /** @throws ScorerNotFoundError, ScorerNotDefinedError */
  private scorersOf({ projectId, projectRowId, plan }: PromptEditJob): Promise<Scorer[]> {
    const project = { id: projectId, rowId: projectRowId };
    return Promise.all(plan.scorers.map((version) => this.scorers.readKnown(project, version)));
  }

  private startScores(job: PromptEditJob, scorer: Scorer, claims: readonly EditItemClaim[]): void {
    const { batchSize } = this.kinds.of(scorer.definition.kind);
    for (let at = 0; at < claims.length; at += batchSize) {
      const some = claims.slice(at, at + batchSize);
      this.launch(job, some, (signal) => this.scores.score(job, scorer, some, signal));
    }
  }
}
