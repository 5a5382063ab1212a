import { type FeedbackCreateDto, type JsonObject, RawJson, stringifyJson, withoutScheme } from '@hone/contracts';
import { newId } from '@hone/database';

import type { FeedbackDraft, FeedbackReceipt } from './feedback.record.js';

export interface DraftContext {
  projectRowId: string;
  svcUserId: string;
  createdAt: Date;
}

export function toFeedbackDraft(body: FeedbackCreateDto, payload: JsonObject, context: DraftContext): FeedbackDraft {
  return {
    ...context,
    projectId: body.project_id,
    id: body.id ?? newId(),
    hasClientId: typeof body.id === 'string',
    creator: body.creator ?? null,
    feedbackType: body.feedback_type,
    traceRef: withoutScheme(body.trace_ref),
    annotationRef: storedRef(body.annotation_ref),
    runnableRef: storedRef(body.runnable_ref),
    callRef: storedRef(body.call_ref),
    triggerRef: storedRef(body.trigger_ref),
    queueId: body.queue_id ?? null,
    payload,
    payloadText: stringifyJson(payload),
    scorerTags: body.scorer_tags ?? [],
    scorerTagReasons: body.scorer_tag_reasons ?? {},
    scorerTagConfidences: body.scorer_tag_confidences ?? {},
    scorerRatings: body.scorer_ratings ?? {},
    scorerRatingReasons: body.scorer_rating_reasons ?? {},
    scorerRatingConfidences: body.scorer_rating_confidences ?? {},
  };
}

const storedRef = (ref: string | null | undefined): string | null => (ref ? withoutScheme(ref) : null);

/** The answer of create; the payload goes out as its stored text. */
export const toFeedbackResult = (receipt: FeedbackReceipt) => ({
  id: receipt.id,
  created_at: receipt.createdAt.toISOString(),
  svc_user_id: receipt.svcUserId,
  payload: new RawJson(receipt.payloadText),
});

export type FeedbackResult = ReturnType<typeof toFeedbackResult>;
