import type { JsonObject } from '@hone/contracts';

/** Feedback on its way into the database. Refs are without their scheme; absent texts are null, absent maps empty. */
export interface FeedbackDraft {
  projectRowId: string;
  /** `<entity>/<project>`, for error sentences. */
  projectId: string;
  id: string;
  /** The id came from the client, so a record may hold it already. */
  hasClientId: boolean;
  createdAt: Date;
  svcUserId: string;
  creator: string | null;
  feedbackType: string;
  traceRef: string;
  annotationRef: string | null;
  runnableRef: string | null;
  callRef: string | null;
  triggerRef: string | null;
  queueId: string | null;
  payload: JsonObject;
  /** Compact text of the payload, number lexemes kept. */
  payloadText: string;
  scorerTags: string[];
  scorerTagReasons: Record<string, string>;
  scorerTagConfidences: Record<string, number>;
  scorerRatings: Record<string, number>;
  scorerRatingReasons: Record<string, string>;
  scorerRatingConfidences: Record<string, number>;
  /** What an SDK sent beside the fields; null: nothing. */
  sdkExtras: Record<string, string> | null;
}

/** What create answers about a stored record. */
export interface FeedbackReceipt {
  id: string;
  createdAt: Date;
  svcUserId: string;
  payloadText: string;
}

/** The fate of one draft: stored (now or earlier, with equal content), or its id names another record. */
export type InsertOutcome = { receipt: FeedbackReceipt } | { conflict: true };
