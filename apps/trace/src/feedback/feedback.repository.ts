import { Injectable } from '@nestjs/common';
import { ValueRepository } from '@hone/calls';
import { byCodePoint, searchableText } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';

import { contentOf, contentOfRow, type ContentRow } from './feedback-content.js';
import type { FeedbackDraft, InsertOutcome } from './feedback.record.js';

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
      ? await this.database.transaction(() => this.#insert(sorted))
      : await this.#insert(sorted);
    if (inserted === drafts.length) return drafts.map((draft) => ({ receipt: draft }));
    return this.#compareWithStored(drafts);
  }

  async #insert(drafts: FeedbackDraft[]): Promise<number> {
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
      SELECT p, i, at, u, c, ft, tr, ar, rr, cr, gr, q,
        CASE WHEN pb IS NULL THEN coalesce(pt, pj::text) END, pb, coalesce(ps, pj)::jsonb,
        coalesce(st, '{}'), coalesce(str, '{}'), coalesce(stc, '{}'), coalesce(sr, '{}'), coalesce(srr, '{}'), coalesce(src, '{}'), sx
      FROM json_to_recordset(${`[${rows.join(',')}]`}::json) AS row (
        p uuid, i text, at timestamptz, u uuid, c text, ft text, tr text, ar text, rr text, cr text, gr text, q text,
        pj json, pt text, ps json, pb text, st text[], str jsonb, stc jsonb, sr jsonb, srr jsonb, src jsonb, sx jsonb)
      ON CONFLICT (project_id, id) DO NOTHING`);
  }

  async #compareWithStored(drafts: FeedbackDraft[]): Promise<InsertOutcome[]> {
    const stored = new Map<string, StoredRow>();
    for (const row of await this.#findByKeys(drafts)) stored.set(keyOf(row), row);
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

  async #findByKeys(drafts: FeedbackDraft[]): Promise<StoredRow[]> {
    const keys = drafts.map(({ projectRowId, id }) => ({ p: projectRowId, i: id }));
    const rows = await this.database.client.$queryRaw<(StoredRow & { text: string | null; blob: string | null })[]>`
      SELECT f.project_id AS "projectRowId", f.id, f.created_at AS "createdAt", f.svc_user_id AS "svcUserId", f.creator,
        f.feedback_type AS "feedbackType", f.trace_ref AS "traceRef", f.annotation_ref AS "annotationRef",
        f.runnable_ref AS "runnableRef", f.call_ref AS "callRef", f.trigger_ref AS "triggerRef", f.queue_id AS "queueId",
        f.payload_text AS text, f.payload_blob AS blob, f.scorer_tags AS "scorerTags",
        f.scorer_tag_reasons AS "scorerTagReasons", f.scorer_tag_confidences AS "scorerTagConfidences",
        f.scorer_ratings AS "scorerRatings", f.scorer_rating_reasons AS "scorerRatingReasons",
        f.scorer_rating_confidences AS "scorerRatingConfidences", f.sdk_extras AS "sdkExtras"
      FROM json_to_recordset(${JSON.stringify(keys)}::json) AS key (p uuid, i text)
      JOIN feedback f ON f.project_id = key.p AND f.id = key.i`;
    return rows.map(({ text, blob, ...row }) => ({ ...row, payload: { text, blob } }));
  }
}

/**
 * A draft as the statement reads it; what is null or empty is left out. Written by hand, not from an object: this runs
 * once per stored record.
 */
function toJsonRow(draft: FeedbackDraft, blob: string | undefined): string {
  let row =
    `{"p":"${draft.projectRowId}","i":${JSON.stringify(draft.id)},"at":"${draft.createdAt.toISOString()}",` +
    `"u":"${draft.svcUserId}","ft":${JSON.stringify(draft.feedbackType)},"tr":${JSON.stringify(draft.traceRef)},` +
    payloadColumns(draft, blob);
  if (draft.creator !== null) row += `,"c":${JSON.stringify(draft.creator)}`;
  if (draft.annotationRef !== null) row += `,"ar":${JSON.stringify(draft.annotationRef)}`;
  if (draft.runnableRef !== null) row += `,"rr":${JSON.stringify(draft.runnableRef)}`;
  if (draft.callRef !== null) row += `,"cr":${JSON.stringify(draft.callRef)}`;
  if (draft.triggerRef !== null) row += `,"gr":${JSON.stringify(draft.triggerRef)}`;
  if (draft.queueId !== null) row += `,"q":${JSON.stringify(draft.queueId)}`;
  if (draft.scorerTags.length) row += `,"st":${JSON.stringify(draft.scorerTags)}`;
  for (const [column, field] of MAP_COLUMNS) {
    const entries = draft[field];
    if (hasEntries(entries)) row += `,"${column}":${JSON.stringify(entries)}`;
  }
  if (draft.sdkExtras !== null) row += `,"sx":${JSON.stringify(draft.sdkExtras)}`;
  return `${row}}`;
}

function hasEntries(map: object): boolean {
  for (const _key in map) return true;
  return false;
}

const MAP_COLUMNS = [
  ['str', 'scorerTagReasons'],
  ['stc', 'scorerTagConfidences'],
  ['sr', 'scorerRatings'],
  ['srr', 'scorerRatingReasons'],
  ['src', 'scorerRatingConfidences'],
] as const;

/** `pj` exact and searchable at once, or `pt` exact and `ps` searchable, or `pb` the chunks' key. */
function payloadColumns({ payload, payloadText }: FeedbackDraft, blob: string | undefined): string {
  if (blob !== undefined) return `"pb":"${blob}"`;
  const searchable = searchableText(payload, payloadText);
  return searchable === payloadText ? `"pj":${payloadText}` : `"pt":${JSON.stringify(payloadText)},"ps":${searchable}`;
}
