import type { StoredValue } from '@hone/calls';
import { canonicalText, type JsonValue, parseJson } from '@hone/contracts';

import type { FeedbackDraft } from './feedback.record.js';

type Content = Omit<FeedbackDraft, 'projectId' | 'hasClientId' | 'createdAt' | 'svcUserId' | 'payload' | 'payloadText'>;

/** A stored row as far as its content goes. */
export type ContentRow = Content & { payload: StoredValue };

/** Text that is equal for equal content: everything but who sent it and when. JSON values count by their canonical text. */
export const contentOf = (draft: FeedbackDraft): string => text(draft, draft.payload);

export const contentOfRow = (row: ContentRow, payloadText: string): string => text(row, parseJson(payloadText));

function text(content: Content, payload: JsonValue): string {
  return canonicalText([
    content.feedbackType,
    content.creator,
    content.traceRef,
    content.annotationRef,
    content.runnableRef,
    content.callRef,
    content.triggerRef,
    content.queueId,
    payload,
    content.scorerTags,
    content.scorerTagReasons,
    content.scorerTagConfidences,
    content.scorerRatings,
    content.scorerRatingReasons,
    content.scorerRatingConfidences,
    content.sdkExtras,
  ]);
}
