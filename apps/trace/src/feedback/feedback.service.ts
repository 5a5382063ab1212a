import type { Principal } from '@hone/auth';
import { ValueRepository } from '@hone/calls';
import { Database, GroupCommit } from '@hone/database';
import type { FeedbackDraft, FeedbackReceipt, InsertOutcome, SentFeedback } from '@hone/feedback';
import { Injectable } from '@nestjs/common';

import { FeedbackIdTakenError } from './feedback.errors.js';
import { type FeedbackResult, toFeedbackResult } from './feedback.mapper.js';
import { FeedbackRepository } from './feedback.repository.js';
import { FeedbackDrafter, type PreparedFeedback } from './feedback-drafter.js';

const GROUP_LIMITS = { rows: 256, bytes: 4 * 1_048_576 };

@Injectable()
export class FeedbackService {
  private readonly singles = new GroupCommit<FeedbackDraft, InsertOutcome>(
    (drafts) => this.feedback.insertAll(drafts),
    GROUP_LIMITS,
  );

  constructor(
    private readonly feedback: FeedbackRepository,
    private readonly drafter: FeedbackDrafter,
    private readonly database: Database,
  ) {}

  /**
   * Stores one record. The same content under the same `id` again answers the stored record.
   *
   * @throws ValidationError the references do not fit a reserved type
   * @throws AccessDeniedError the author may not write to the project
   * @throws PayloadTooLargeError
   * @throws FeedbackIdTakenError `id` names a record with other content
   */
  async create(author: Principal, record: SentFeedback): Promise<FeedbackResult> {
    return this.store(author, await this.drafter.prepare(author, [record], false));
  }

  /** Stores the one record that was prepared. @throws FeedbackIdTakenError */
  async store(author: Principal, prepared: PreparedFeedback): Promise<FeedbackResult> {
    await this.drafter.makeProjects(author, prepared);
    const draft = prepared.drafts[0] as FeedbackDraft;
    // A transaction that is already open (Idempotency-Key) must hold the row itself.
    const outcome = this.database.inTransaction
      ? ((await this.feedback.insertAll([draft]))[0] as InsertOutcome)
      : await this.singles.submit(draft, draft.sent.columns.length + draft.sent.payloadText.length);
    return toFeedbackResult(receiptOf(outcome, draft));
  }

  /**
   * Stores all records or none. Ours: results come back in batch order.
   *
   * @param batch 0..n records; they may belong to different projects
   * @throws what {@link create} throws; sentences begin with `batch[i]: `
   */
  async createBatch(author: Principal, batch: SentFeedback[]): Promise<{ res: FeedbackResult[] }> {
    if (batch.length === 0) return { res: [] };
    const prepared = await this.drafter.prepare(author, batch, true);
    const write = () => this.writeBatch(author, prepared);
    return isOneStatement(prepared) ? write() : this.database.transaction(write);
  }

  private async writeBatch(author: Principal, prepared: PreparedFeedback): Promise<{ res: FeedbackResult[] }> {
    await this.drafter.makeProjects(author, prepared);
    const outcomes = await this.feedback.insertAll(prepared.drafts);
    const receipts = outcomes.map((outcome, index) =>
      receiptOf(outcome, prepared.drafts[index] as FeedbackDraft, index),
    );
    return { res: receipts.map(toFeedbackResult) };
  }
}

/** One statement is atomic by itself: new ids in known projects, no chunks. */
const isOneStatement = ({ drafts, grants }: PreparedFeedback): boolean =>
  grants.every(({ rowId }) => rowId !== null) &&
  drafts.every(({ hasClientId, sent }) => !hasClientId && !ValueRepository.isLarge(sent.payloadText));

function receiptOf(outcome: InsertOutcome, { id, projectId }: FeedbackDraft, index?: number): FeedbackReceipt {
  if ('receipt' in outcome) return outcome.receipt;
  const error = new FeedbackIdTakenError(id, projectId);
  throw index === undefined ? error : error.inBatch(index);
}
