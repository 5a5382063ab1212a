import { setImmediate as nextTurn } from 'node:timers/promises';

import { ValueRepository } from '@hone/calls';
import { byCodePoint } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { FeedbackDraft, SentFeedback } from './feedback.record.js';

const ROWS_PER_TURN = 1_000;
/** About the most characters of one statement in a transaction; outside of one, a single statement is what is atomic. */
const STATEMENT_LENGTH = 2 * 1_048_576;

/** Stores feedback: what services send, and what scorers find. */
@Injectable()
export class FeedbackWriteRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /**
   * Inserts all drafts whose ids are free, in one transaction. Rows go in by key, so that two calls with the same ids never
   * deadlock. Of drafts with one id the first counts.
   *
   * @returns how many were inserted
   */
  async insert(drafts: readonly FeedbackDraft[]): Promise<number> {
    const sorted = inKeyOrder(drafts);
    return sorted.some(({ sent }) => ValueRepository.isLarge(sent.payloadText))
      ? this.database.transaction(() => this.insertInOrder(sorted))
      : this.insertInOrder(sorted);
  }

  /** Other requests have their turn in between: a batch may have many rows. */
  private async insertInOrder(drafts: FeedbackDraft[]): Promise<number> {
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
}

const keyOf = ({ projectRowId, id }: FeedbackDraft): string => `${projectRowId} ${id}`;

/** Each key once, its first draft. */
function inKeyOrder(drafts: readonly FeedbackDraft[]): FeedbackDraft[] {
  const unique = new Map<string, FeedbackDraft>();
  for (const draft of drafts) if (!unique.has(keyOf(draft))) unique.set(keyOf(draft), draft);
  return [...unique.values()].sort((a, b) =>
    a.projectRowId === b.projectRowId ? byCodePoint(a.id, b.id) : byCodePoint(a.projectRowId, b.projectRowId),
  );
}

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
