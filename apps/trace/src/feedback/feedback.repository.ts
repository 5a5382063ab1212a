import { ValueRepository } from '@hone/calls';
import { byCodePoint, searchableText } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { FeedbackDraft, InsertOutcome } from './feedback.record.js';
import { contentOf, contentOfRow, type ContentRow } from './feedback-content.js';

const keyOf = ({ projectRowId, id }: Pick<FeedbackDraft, 'projectRowId' | 'id'>): string => `${projectRowId} ${id}`;

type StoredRow = ContentRow & { createdAt: Date; svcUserId: string };

@Injectable()
export class FeedbackRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /**
   * Inserts in one statement all drafts whose ids are free; outcomes come in the order of the drafts. Rows go in by
   * key, so that two calls with the same ids never deadlock.
   */
  async insertAll(drafts: FeedbackDraft[]): Promise<InsertOutcome[]> {
    const unique = new Map<string, FeedbackDraft>();
    for (const draft of drafts) if (!unique.has(keyOf(draft))) unique.set(keyOf(draft), draft);
    const sorted = [...unique.values()].sort(
      (a, b) => byCodePoint(a.projectRowId, b.projectRowId) || byCodePoint(a.id, b.id),
    );
    const inserted = sorted.some(({ payloadText }) => ValueRepository.isLarge(payloadText))
      ? await this.database.transaction(() => this.insert(sorted))
      : await this.insert(sorted);
    if (inserted === drafts.length) return drafts.map((draft) => ({ receipt: draft }));
    return this.compareWithStored(drafts);
  }

  private async insert(drafts: FeedbackDraft[]): Promise<number> {
    const rows: string[] = [];
    for (const draft of drafts) {
      const isLarge = ValueRepository.isLarge(draft.payloadText);
      const blob = isLarge ? await this.values.putBytes(draft.projectRowId, Buffer.from(draft.payloadText)) : undefined;
      rows.push(toJsonRow(draft, blob));
    }
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
    const stored = new Map<string, StoredRow>();
    for (const row of await this.findByKeys(drafts)) stored.set(keyOf(row), row);
    const outcomes: InsertOutcome[] = [];
    for (const draft of drafts) {
      const row = stored.get(keyOf(draft));
      if (!row) {
        // Purged between the insert and this read: the id is free again.
        outcomes.push(...(await this.insertAll([draft])));
        continue;
      }
      const payloadText = (await this.values.get(row.projectRowId, row.payload)) as string;
      const isSame = contentOf(draft) === contentOfRow(row, payloadText);
      outcomes.push(isSame ? { receipt: { ...row, payloadText } } : { conflict: true });
    }
    return outcomes;
  }

  private async findByKeys(drafts: FeedbackDraft[]): Promise<StoredRow[]> {
    const keys = drafts.map(({ projectRowId, id }) => ({ project_id: projectRowId, id }));
    const rows = await this.database.client.$queryRaw<(StoredRow & { text: string | null; blob: string | null })[]>`
      SELECT f.project_id AS "projectRowId", f.id, f.created_at AS "createdAt", f.svc_user_id AS "svcUserId", f.creator,
        f.feedback_type AS "feedbackType", f.trace_ref AS "traceRef", f.annotation_ref AS "annotationRef",
        f.runnable_ref AS "runnableRef", f.call_ref AS "callRef", f.trigger_ref AS "triggerRef", f.queue_id AS "queueId",
        f.payload_text AS text, f.payload_blob AS blob, f.scorer_tags AS "scorerTags",
        f.scorer_tag_reasons AS "scorerTagReasons", f.scorer_tag_confidences AS "scorerTagConfidences",
        f.scorer_ratings AS "scorerRatings", f.scorer_rating_reasons AS "scorerRatingReasons",
        f.scorer_rating_confidences AS "scorerRatingConfidences", f.sdk_extras AS "sdkExtras"
      FROM json_to_recordset(${JSON.stringify(keys)}::json) AS key (project_id uuid, id text)
      JOIN feedback f ON f.project_id = key.project_id AND f.id = key.id`;
    return rows.map(({ text, blob, ...row }) => ({ ...row, payload: { text, blob } }));
  }
}

/**
 * A draft as the statement reads it, without what is null or empty: there are few of the others in a record, and the server
 * reads each name. The text of the payload is JSON already.
 */
function toJsonRow(draft: FeedbackDraft, blob: string | undefined): string {
  const columns = JSON.stringify({
    project_id: draft.projectRowId,
    id: draft.id,
    created_at: draft.createdAt,
    svc_user_id: draft.svcUserId,
    feedback_type: draft.feedbackType,
    trace_ref: draft.traceRef,
    creator: draft.creator ?? undefined,
    annotation_ref: draft.annotationRef ?? undefined,
    runnable_ref: draft.runnableRef ?? undefined,
    call_ref: draft.callRef ?? undefined,
    trigger_ref: draft.triggerRef ?? undefined,
    queue_id: draft.queueId ?? undefined,
    scorer_tags: unlessEmpty(draft.scorerTags),
    scorer_tag_reasons: unlessEmpty(draft.scorerTagReasons),
    scorer_tag_confidences: unlessEmpty(draft.scorerTagConfidences),
    scorer_ratings: unlessEmpty(draft.scorerRatings),
    scorer_rating_reasons: unlessEmpty(draft.scorerRatingReasons),
    scorer_rating_confidences: unlessEmpty(draft.scorerRatingConfidences),
    sdk_extras: draft.sdkExtras ?? undefined,
  });
  return `${columns.slice(0, -1)},${payloadColumns(draft, blob)}}`;
}

function unlessEmpty<T extends object>(value: T): T | undefined {
  for (const _key in value) return value;
  return undefined;
}

/** `payload_json` exact and searchable at once, or `payload_text` exact and `payload_search` searchable, or the chunks' key. */
function payloadColumns({ payload, payloadText }: FeedbackDraft, blob: string | undefined): string {
  if (blob !== undefined) return `"payload_blob":"${blob}"`;
  const searchable = searchableText(payload, payloadText);
  return searchable === payloadText
    ? `"payload_json":${payloadText}`
    : `"payload_text":${JSON.stringify(payloadText)},"payload_search":${searchable}`;
}
