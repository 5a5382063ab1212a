import { AccessDeniedError, type Principal } from '@hone/auth';
import { sqlStateOf } from '@hone/database';
import type { FeedbackDraft, SentFeedback } from '@hone/feedback';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { FeedbackRepository } from '../feedback/feedback.repository.js';
import { FeedbackChangeRepository } from '../feedback/feedback-change.repository.js';
import { FeedbackChangeService } from '../feedback/feedback-change.service.js';
import { FeedbackDrafter } from '../feedback/feedback-drafter.js';
import { FeedbackRevisionRepository } from '../feedback/history/feedback-revision.repository.js';

export type Written = 'created' | 'updated' | 'unchanged' | 'forbidden' | 'unstorable';

/** Feedback of a score that waited. */
export interface LateDraft extends FeedbackDraft {
  /** Its author may replace what others sent. */
  readonly replacesAll: boolean;
}

const REASON = 'The score was sent again.';
/** Classes of SQLSTATE that one record's content is the cause of: bad data, a broken constraint, a limit of the server. */
const OF_CONTENT = ['22', '23', '54'];

/** Stores feedback that scores become: what is there with other content is replaced, and its history keeps it. */
@Injectable()
export class ScoreWriter {
  constructor(
    private readonly drafter: FeedbackDrafter,
    private readonly feedback: FeedbackRepository,
    private readonly changes: FeedbackChangeService,
    private readonly records: FeedbackChangeRepository,
    private readonly revisions: FeedbackRevisionRepository,
  ) {}

  /** Stores all records that can be stored. @returns what became of each. @throws AccessDeniedError */
  async write(author: Principal, records: SentFeedback[]): Promise<Written[]> {
    if (records.length === 0) return [];
    try {
      return await this.writeTogether(author, records);
    } catch (error) {
      if (!isOfContent(error)) throw error;
      if (records.length === 1) return ['unstorable'];
      const half = records.length >> 1;
      const first = await this.write(author, records.slice(0, half));
      return [...first, ...(await this.write(author, records.slice(half)))];
    }
  }

  /** Stores what came before its call did. Where a newer form of the score was stored meanwhile, or one of another's, that one stays. */
  async writeLate(drafts: LateDraft[]): Promise<void> {
    if (drafts.length === 0) return;
    const outcomes = await this.feedback.insertAll(drafts);
    for (const [at, outcome] of outcomes.entries())
      if ('conflict' in outcome) await this.replaceLate(drafts[at] as LateDraft);
  }

  private async writeTogether(author: Principal, records: SentFeedback[]): Promise<Written[]> {
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

  /** The same within the ambient transaction, for an author who is not there any more. */
  private async replaceLate(draft: LateDraft): Promise<void> {
    const { projectRowId, id, svcUserId, createdAt, replacesAll } = draft;
    const [stored] = await this.records.lock(projectRowId, [id]);
    if (!stored || stored.createdAt >= createdAt) return;
    if (stored.svcUserId !== svcUserId && !replacesAll) return;
    await this.revisions.keep(projectRowId, id, svcUserId, REASON);
    await this.records.delete(projectRowId, [id]);
    await this.feedback.insertAll([draft]);
  }
}

const isOfContent = (error: unknown): boolean =>
  error instanceof ValidationError || OF_CONTENT.includes(sqlStateOf(error)?.slice(0, 2) ?? '');
