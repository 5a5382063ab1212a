import { setImmediate as nextTurn } from 'node:timers/promises';

import { type StoredValue, ValueRepository } from '@hone/calls';
import { byCodePoint } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { BodyThreads } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import type { FeedbackDraft, FeedbackReceipt, InsertOutcome, SentFeedback } from './feedback.record.js';
import { type ContentPair, TASK as CONTENT } from './feedback-content.task.js';

const keyOf = ({ projectRowId, id }: Pick<FeedbackDraft, 'projectRowId' | 'id'>): string => `${projectRowId} ${id}`;

type StoredRow = Omit<StoredRecord, 'payloadText'> & StoredValue;

/** A record with the columns that {@link SentFeedback} has, as the text of a JSON object. */
interface StoredRecord extends FeedbackReceipt {
  projectRowId: string;
  columns: string;
}

/** Records that are read together. */
const KEYS_AT_ONCE = 1_000;
const ROWS_PER_TURN = 1_000;
/** About the most characters of one statement in a transaction; outside of one, a single statement is what is atomic. */
const STATEMENT_LENGTH = 2 * 1_048_576;

@Injectable()
export class FeedbackRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
    private readonly threads: BodyThreads,
  ) {}

  /**
   * Inserts in one statement all drafts whose ids are free; outcomes come in the order of the drafts. Rows go in by
   * key, so that two calls with the same ids never deadlock.
   */
  async insertAll(drafts: FeedbackDraft[]): Promise<InsertOutcome[]> {
    const sorted = inKeyOrder(drafts);
    const inserted = sorted.some(({ sent }) => ValueRepository.isLarge(sent.payloadText))
      ? await this.database.transaction(() => this.insert(sorted))
      : await this.insert(sorted);
    if (inserted === drafts.length) return drafts.map((draft) => ({ receipt: receiptOf(draft) }));
    return this.compareWithStored(drafts);
  }

  /** Other requests have their turn in between: a batch may have many rows. */
  private async insert(drafts: FeedbackDraft[]): Promise<number> {
    let inserted = 0;
    let rows: string[] = [];
    let length = 0;
    for (const draft of drafts) {
      const { payloadText } = draft.sent;
      const isLarge = ValueRepository.isLarge(payloadText);
      const blob = isLarge ? await this.values.putBytes(draft.projectRowId, Buffer.from(payloadText)) : undefined;
      const row = toJsonRow(draft, blob);
      rows.push(row);
      length += row.length;
      if (rows.length % ROWS_PER_TURN === 0) await nextTurn();
      if (length < STATEMENT_LENGTH || !this.database.inTransaction) continue;
      inserted += await this.insertRows(rows);
      [rows, length] = [[], 0];
    }
    return rows.length === 0 ? inserted : inserted + (await this.insertRows(rows));
  }

  private insertRows(rows: string[]): Promise<number> {
    // One JSON parameter: its parts become column types in the server, several times as fast as a parameter per value.
    return this.database.executeBulk(Prisma.sql`
      INSERT INTO feedback (
        project_id, id, created_at, svc_user_id, creator, feedback_type, trace_ref, annotation_ref, runnable_ref, call_ref,
        trigger_ref, queue_id, payload_text, payload_blob, payload_json, scorer_tags, scorer_tag_reasons,
        scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences, sdk_extras)
      SELECT project_id, id, created_at, svc_user_id, creator, feedback_type, trace_ref, annotation_ref, runnable_ref, call_ref,
        trigger_ref, queue_id, CASE WHEN payload_blob IS NULL THEN coalesce(payload_text, payload_json::text) END,
        payload_blob, coalesce(payload_search, payload_json)::jsonb, coalesce(scorer_tags, '{}'),
        coalesce(scorer_tag_reasons, '{}'), coalesce(scorer_tag_confidences, '{}'), coalesce(scorer_ratings, '{}'),
        coalesce(scorer_rating_reasons, '{}'), coalesce(scorer_rating_confidences, '{}'), sdk_extras
      FROM json_to_recordset(${`[${rows.join(',')}]`}::json) AS row (
        project_id uuid, id text, created_at timestamptz, svc_user_id uuid, creator text, feedback_type text, trace_ref text,
        annotation_ref text, runnable_ref text, call_ref text, trigger_ref text, queue_id text, payload_json json,
        payload_text text, payload_search json, payload_blob text, scorer_tags text[], scorer_tag_reasons jsonb,
        scorer_tag_confidences jsonb, scorer_ratings jsonb, scorer_rating_reasons jsonb, scorer_rating_confidences jsonb,
        sdk_extras jsonb)
      ON CONFLICT (project_id, id) DO NOTHING`);
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

/** Each key once, its first draft. */
function inKeyOrder(drafts: FeedbackDraft[]): FeedbackDraft[] {
  const unique = new Map<string, FeedbackDraft>();
  for (const draft of drafts) if (!unique.has(keyOf(draft))) unique.set(keyOf(draft), draft);
  return [...unique.values()].sort((a, b) =>
    a.projectRowId === b.projectRowId ? byCodePoint(a.id, b.id) : byCodePoint(a.projectRowId, b.projectRowId),
  );
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

/** A draft as the statement reads it. The text of the payload is JSON already. */
function toJsonRow(draft: FeedbackDraft, blob: string | undefined): string {
  const context = JSON.stringify({
    project_id: draft.projectRowId,
    id: draft.id,
    created_at: draft.createdAt,
    svc_user_id: draft.svcUserId,
  });
  return `${context.slice(0, -1)},${draft.sent.columns},${payloadColumns(draft.sent, blob)}}`;
}

/** `payload_json` exact and searchable at once, or `payload_text` exact and `payload_search` searchable, or the chunks' key. */
function payloadColumns({ payloadText, payloadSearchable }: SentFeedback, blob: string | undefined): string {
  if (blob !== undefined) return `"payload_blob":"${blob}"`;
  return payloadSearchable === null
    ? `"payload_json":${payloadText}`
    : `"payload_text":${JSON.stringify(payloadText)},"payload_search":${payloadSearchable}`;
}
