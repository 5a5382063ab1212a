import {
  besideOf,
  callIdOfCompletion,
  type FeedbackCreateDto,
  type JsonObject,
  RawJson,
  stringifyJson,
  withoutScheme,
} from '@hone/contracts';
import { newId } from '@hone/database';

import type { FeedbackDraft, FeedbackReceipt } from './feedback.record.js';

const NO_TAGS: string[] = [];
const NO_ENTRIES = {};

export interface DraftContext {
  projectRowId: string;
  svcUserId: string;
  createdAt: Date;
}

/** Ref of what is judged, without its scheme. */
function subjectOf({ trace_ref, completion_id, project_id }: FeedbackCreateDto): string {
  if (trace_ref !== undefined) return withoutScheme(trace_ref);
  return `${project_id}/call/${callIdOfCompletion(completion_id as string)}`;
}

export function toFeedbackDraft(body: FeedbackCreateDto, payload: JsonObject, context: DraftContext): FeedbackDraft {
  // Listed one by one: a literal that begins with a spread and goes on with many keys costs a hundred times as much in V8.
  return {
    projectRowId: context.projectRowId,
    svcUserId: context.svcUserId,
    createdAt: context.createdAt,
    projectId: body.project_id,
    id: body.id ?? newId(),
    hasClientId: typeof body.id === 'string',
    creator: body.creator ?? null,
    feedbackType: body.feedback_type,
    traceRef: subjectOf(body),
    annotationRef: storedRef(body.annotation_ref),
    runnableRef: storedRef(body.runnable_ref),
    callRef: storedRef(body.call_ref),
    triggerRef: storedRef(body.trigger_ref),
    queueId: body.queue_id ?? null,
    payload,
    payloadText: stringifyJson(payload),
    scorerTags: body.scorer_tags ?? NO_TAGS,
    scorerTagReasons: body.scorer_tag_reasons ?? NO_ENTRIES,
    scorerTagConfidences: body.scorer_tag_confidences ?? NO_ENTRIES,
    scorerRatings: body.scorer_ratings ?? NO_ENTRIES,
    scorerRatingReasons: body.scorer_rating_reasons ?? NO_ENTRIES,
    scorerRatingConfidences: body.scorer_rating_confidences ?? NO_ENTRIES,
    sdkExtras: (besideOf(body) as Record<string, string> | undefined) ?? null,
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
