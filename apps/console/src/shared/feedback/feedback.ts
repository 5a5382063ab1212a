import type { FeedbackRecordDto } from '@hone/client';

export const REACTION = 'hone.reaction.1';
export const NOTE = 'hone.note.1';

/** Fields of feedback that lists show. */
export const FEEDBACK_FIELDS = [
  ...['id', 'feedback_type', 'payload', 'creator', 'svc_user_id', 'created_at', 'trace_ref', 'queue_id'],
  ...['scorer_ratings', 'scorer_tags', 'runnable_ref'],
];

/** A judgement as lists show it. */
export interface Feedback {
  readonly id: string;
  readonly feedback_type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly creator: string | null;
  readonly svc_user_id: string;
  readonly created_at: string;
  readonly trace_ref: string;
  readonly queue_id: string | null;
  /** The version of the scorer that says it; null: a person does. */
  readonly runnable_ref: string | null;
  readonly scorer_ratings: Readonly<Record<string, number>>;
  readonly scorer_tags: readonly string[];
}

export const toFeedback = (record: FeedbackRecordDto): Feedback => ({
  id: record.id ?? '',
  feedback_type: record.feedback_type ?? '',
  payload: record.payload ?? {},
  creator: record.creator ?? null,
  svc_user_id: record.svc_user_id ?? '',
  created_at: record.created_at ?? '',
  trace_ref: record.trace_ref ?? '',
  queue_id: record.queue_id ?? null,
  runnable_ref: record.runnable_ref ?? null,
  scorer_ratings: record.scorer_ratings ?? {},
  scorer_tags: record.scorer_tags ?? [],
});
