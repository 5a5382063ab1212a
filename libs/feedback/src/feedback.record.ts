/** A feedback record as a body has it, but for its large values a draft: those are texts. */
export interface SentFeedback {
  /** `<entity>/<project>`. */
  readonly projectId: string;
  /** Null: the server makes one. */
  readonly id: string | null;
  readonly feedbackType: string;
  readonly annotationRef: string | null;
  readonly queueId: string | null;
  /** Text of `payload.value` of an annotation, which its spec checks; null: the feedback is none. */
  readonly annotationText: string | null;
  /**
   * Members of a JSON object: the columns that the body fills, but for the payload. Refs are without their scheme; what is
   * null or empty is left out.
   */
  readonly columns: string;
  /** Compact text of the payload, number lexemes kept. */
  readonly payloadText: string;
  /** Bytes of that text in UTF-8. */
  readonly payloadBytes: number;
  /** The text that jsonb takes, where it refuses the exact one; else null. */
  readonly payloadSearchable: string | null;
}

/** Feedback on its way into the database. */
export interface FeedbackDraft {
  projectRowId: string;
  /** `<entity>/<project>`, for error sentences. */
  projectId: string;
  id: string;
  /** The id came from the client, so a record may hold it already. */
  hasClientId: boolean;
  createdAt: Date;
  svcUserId: string;
  sent: SentFeedback;
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
