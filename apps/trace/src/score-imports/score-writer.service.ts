import { AccessDeniedError, type Principal } from '@hone/auth';
import type { FeedbackDraft, SentFeedback } from '@hone/feedback';
import { Injectable } from '@nestjs/common';

import { FeedbackRepository } from '../feedback/feedback.repository.js';
import { FeedbackChangeService } from '../feedback/feedback-change.service.js';
import { FeedbackDrafter } from '../feedback/feedback-drafter.js';

export type Written = 'created' | 'updated' | 'unchanged' | 'forbidden';

const REASON = 'The score was sent again.';

/** Stores feedback that scores become: what is there with other content is replaced, and its history keeps it. */
@Injectable()
export class ScoreWriter {
  constructor(
    private readonly drafter: FeedbackDrafter,
    private readonly feedback: FeedbackRepository,
    private readonly changes: FeedbackChangeService,
  ) {}

  /** @returns what became of each. @throws ValidationError, AccessDeniedError */
  async write(author: Principal, records: SentFeedback[]): Promise<Written[]> {
    if (records.length === 0) return [];
    const prepared = await this.drafter.prepare(author, records, false);
    await this.drafter.makeProjects(author, prepared);
    const outcomes = await this.feedback.insertAll(prepared.drafts);
    const written: Written[] = [];
    for (const [at, outcome] of outcomes.entries()) {
      const draft = prepared.drafts[at] as FeedbackDraft;
      if ('conflict' in outcome) written.push(await this.replace(author, draft));
      else written.push(outcome.receipt.createdAt.getTime() === draft.createdAt.getTime() ? 'created' : 'unchanged');
    }
    return written;
  }

  /** Stores what came before its call did. Where a newer form of the score was stored meanwhile, that one stays. */
  async writeLate(drafts: FeedbackDraft[]): Promise<void> {
    if (drafts.length > 0) await this.feedback.insertAll(drafts);
  }

  /** Annotators replace their own. */
  private async replace(author: Principal, { id, sent }: FeedbackDraft): Promise<Written> {
    try {
      await this.changes.replace(author, { oldId: id, reason: REASON, feedback: sent });
      return 'updated';
    } catch (error) {
      if (error instanceof AccessDeniedError) return 'forbidden';
      throw error;
    }
  }
}
