import { isLargeText } from '@hone/calls/json-draft';
import {
  besideOf,
  callIdOfCompletion,
  type FeedbackCreateDto,
  type JsonObject,
  searchableText,
  stringifyJson,
  withoutScheme,
} from '@hone/contracts';

import type { SentFeedback } from './feedback.record.js';
import { describedPayload } from './types/described-payload.js';
import { annotationName } from './types/type-forms.js';

/** @param body checked against its class and the form of its type */
export function toSentFeedback(body: FeedbackCreateDto): SentFeedback {
  const payload = describedPayload(body);
  const payloadText = stringifyJson(payload);
  const searchable = isLargeText(payloadText) ? payloadText : searchableText(payload, payloadText);
  // Listed one by one: a literal that begins with a spread and goes on with many keys costs a hundred times as much in V8.
  return {
    projectId: body.project_id,
    id: body.id ?? null,
    feedbackType: body.feedback_type,
    annotationRef: body.annotation_ref ?? null,
    queueId: body.queue_id ?? null,
    annotationText: annotationName(body.feedback_type) === undefined ? null : valueTextOf(payload),
    columns: columnsOf(body),
    payloadText,
    payloadBytes: Buffer.byteLength(payloadText),
    payloadSearchable: searchable === payloadText ? null : searchable,
  };
}

const valueTextOf = ({ value }: JsonObject): string => stringifyJson(value ?? null);

/** There are few of those that are not empty in a record, and the server reads each name. */
function columnsOf(body: FeedbackCreateDto): string {
  const columns = JSON.stringify({
    feedback_type: body.feedback_type,
    trace_ref: subjectOf(body),
    creator: body.creator ?? undefined,
    annotation_ref: storedRef(body.annotation_ref),
    runnable_ref: storedRef(body.runnable_ref),
    call_ref: storedRef(body.call_ref),
    trigger_ref: storedRef(body.trigger_ref),
    queue_id: body.queue_id ?? undefined,
    scorer_tags: unlessEmpty(body.scorer_tags),
    scorer_tag_reasons: unlessEmpty(body.scorer_tag_reasons),
    scorer_tag_confidences: unlessEmpty(body.scorer_tag_confidences),
    scorer_ratings: unlessEmpty(body.scorer_ratings),
    scorer_rating_reasons: unlessEmpty(body.scorer_rating_reasons),
    scorer_rating_confidences: unlessEmpty(body.scorer_rating_confidences),
    sdk_extras: besideOf(body),
  });
  return columns.slice(1, -1);
}

/** Ref of what is judged, without its scheme. */
function subjectOf({ trace_ref, completion_id, project_id }: FeedbackCreateDto): string {
  if (trace_ref !== undefined) return withoutScheme(trace_ref);
  return `${project_id}/call/${callIdOfCompletion(completion_id as string)}`;
}

const storedRef = (ref: string | null | undefined): string | undefined => (ref ? withoutScheme(ref) : undefined);

function unlessEmpty<T extends object>(value: T | undefined): T | undefined {
  for (const _key in value) return value;
  return undefined;
}
