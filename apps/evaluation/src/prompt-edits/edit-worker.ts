import { toUsd } from '@hone/calls';
import { Injectable } from '@nestjs/common';

import { ScorerKinds } from '../kinds/kinds.js';
import { AnswerWorker } from '../queue/answer-worker.js';
import { toSettlement } from '../queue/attempts.js';
import { JobRights } from '../queue/job-rights.service.js';
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
export class EditWorker extends AnswerWorker<PromptEditJob, EditItemClaim> {
  constructor(
    private readonly jobs: PromptEditsRepository,
    private readonly editItems: EditItemsRepository,
    private readonly steps: SearchSteps,
    private readonly edits: EditsService,
    private readonly answers: RowAnswers,
    private readonly scores: RowScores,
    scorers: ScorerReader,
    kinds: ScorerKinds,
    private readonly rights: JobRights,
  ) {
    super(editItems, SLOTS, scorers, kinds);
  }

  protected override due(limit: number): Promise<PromptEditJob[]> {
    return this.jobs.due(limit);
  }

  protected override async advance(job: PromptEditJob, slots: number): Promise<boolean> {
    await this.rights.assertMayGoOn(job);
    const started = await this.startItems(job, slots);
    if (started === null) return this.fail(job, `Its budget of ${toUsd(job.maxCostNanoUsd ?? 0)} US dollars is spent.`);
    return started > 0 || this.steps.next(job);
  }

  protected override fail(job: PromptEditJob, error: string): Promise<boolean> {
    return this.steps.end(job.id, { status: 'failed', error });
  }

  protected override failClaims(job: PromptEditJob, claims: readonly EditItemClaim[]): Promise<void> {
    const settlements = claims.map((claim) => ({ ...toSettlement(claim, FAULT), score: null, result: null }));
    return this.editItems.settle(job, settlements);
  }

  protected override ask(job: PromptEditJob, claim: EditItemClaim, signal: AbortSignal): Promise<void> {
    return claim.rowDigest === '' ? this.edits.edit(job, claim, signal) : this.answers.answer(job, claim, signal);
  }

  protected override score(
    job: PromptEditJob,
    scorer: Scorer,
    claims: readonly EditItemClaim[],
    signal: AbortSignal,
  ): Promise<void> {
    return this.scores.score(job, scorer, claims, signal);
  }
}
