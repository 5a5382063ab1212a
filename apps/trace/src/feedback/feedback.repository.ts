import { type StoredValue, ValueRepository } from '@hone/calls';
import { Database } from '@hone/database';
import { type FeedbackDraft, type FeedbackReceipt, FeedbackWriteRepository, type InsertOutcome } from '@hone/feedback';
import { BodyThreads } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { type ContentPair, TASK as CONTENT } from './feedback-content.task.js';

const keyOf = ({ projectRowId, id }: Pick<FeedbackDraft, 'projectRowId' | 'id'>): string => `${projectRowId} ${id}`;

type StoredRow = Omit<StoredRecord, 'payloadText'> & StoredValue;

/** A record with the columns that `SentFeedback` has, as the text of a JSON object. */
interface StoredRecord extends FeedbackReceipt {
  projectRowId: string;
  columns: string;
}

/** Records that are read together. */
const KEYS_AT_ONCE = 1_000;

@Injectable()
export class FeedbackRepository {
  constructor(
    private readonly database: Database,
    private readonly writes: FeedbackWriteRepository,
    private readonly values: ValueRepository,
    private readonly threads: BodyThreads,
  ) {}

  /** Inserts all drafts whose ids are free. @returns outcomes in the order of the drafts */
  async insertAll(drafts: FeedbackDraft[]): Promise<InsertOutcome[]> {
    const inserted = await this.writes.insert(drafts);
    if (inserted === drafts.length) return drafts.map((draft) => ({ receipt: receiptOf(draft) }));
    return this.compareWithStored(drafts);
  }

  private async compareWithStored(drafts: FeedbackDraft[]): Promise<InsertOutcome[]> {
    const stored = new Map<string, StoredRecord>();
    for (let at = 0; at < drafts.length; at += KEYS_AT_ONCE)
      for (const row of await this.findByKeys(drafts.slice(at, at + KEYS_AT_ONCE))) stored.set(keyOf(row), row);
    const pairs = drafts.flatMap((draft) => pairOf(draft, stored.get(keyOf(draft))));
    const areSame = (await this.threads.runUnlessLight(CONTENT, pairs, lengthOf(pairs))).values();
    const outcomes: InsertOutcome[] = [];
    for (const draft of drafts) {
      const record = stored.get(keyOf(draft));
      // Purged between the insert and this read: the id is free again.
      if (!record) outcomes.push(...(await this.insertAll([draft])));
      else outcomes.push(areSame.next().value ? { receipt: record } : { conflict: true });
    }
    return outcomes;
  }

  private async findByKeys(drafts: FeedbackDraft[]): Promise<StoredRecord[]> {
    const keys = drafts.map(({ projectRowId, id }) => ({ project_id: projectRowId, id }));
    const rows = await this.database.client.$queryRaw<StoredRow[]>`
      SELECT f.project_id AS "projectRowId", f.id, f.created_at AS "createdAt", f.svc_user_id AS "svcUserId",
        f.payload_text AS text, f.payload_blob AS blob, jsonb_build_object('feedback_type', f.feedback_type,
          'trace_ref', f.trace_ref, 'creator', f.creator, 'annotation_ref', f.annotation_ref,
          'runnable_ref', f.runnable_ref, 'call_ref', f.call_ref, 'trigger_ref', f.trigger_ref, 'queue_id', f.queue_id,
          'scorer_tags', f.scorer_tags, 'scorer_tag_reasons', f.scorer_tag_reasons,
          'scorer_tag_confidences', f.scorer_tag_confidences, 'scorer_ratings', f.scorer_ratings,
          'scorer_rating_reasons', f.scorer_rating_reasons, 'scorer_rating_confidences', f.scorer_rating_confidences,
          'sdk_extras', f.sdk_extras)::text AS columns
      FROM json_to_recordset(${JSON.stringify(keys)}::json) AS key (project_id uuid, id text)
      JOIN feedback f ON f.project_id = key.project_id AND f.id = key.id`;
    const records: StoredRecord[] = [];
    for (const { text, blob, ...row } of rows) {
      const payloadText = (await this.values.get(row.projectRowId, { text, blob })) as string;
      records.push({ ...row, payloadText });
    }
    return records;
  }
}

const receiptOf = ({ id, createdAt, svcUserId, sent }: FeedbackDraft): FeedbackReceipt => ({
  ...{ id, createdAt, svcUserId },
  payloadText: sent.payloadText,
});

/** What the content of a draft is compared with; none: nothing is stored. */
function pairOf({ sent }: FeedbackDraft, stored: StoredRecord | undefined): ContentPair[] {
  if (!stored) return [];
  return [
    {
      sent: { columns: `{${sent.columns}}`, payload: sent.payloadText },
      stored: { columns: stored.columns, payload: stored.payloadText },
    },
  ];
}

const lengthOf = (pairs: ContentPair[]): number =>
  pairs.reduce((sum, { sent, stored }) => sum + sent.columns.length + sent.payload.length + stored.columns.length, 0);
