/** A call as training data is made of it, with exact texts of its values. */
export interface SourceCall {
  readonly id: string;
  readonly threadId: string | null;
  readonly hasEnded: boolean;
  readonly hasFailed: boolean;
  /** Bytes of all values together. */
  readonly bytes: number;
  /** Null: too large to be read. */
  readonly values: { readonly attributes: string; readonly inputs: string; readonly output: string } | null;
  /** Oldest first. */
  readonly judgements: readonly Judgement[];
  /** Payload of the newest correction, as text; null: none. */
  readonly correction: string | null;
}

/** Feedback on a call. */
export interface Judgement {
  readonly feedbackType: string;
  /** Without scheme; null: a person judged. */
  readonly runnableRef: string | null;
  readonly svcUserId: string;
  /** As text; null: too large for a reward. */
  readonly payload: string | null;
  readonly tags: readonly string[];
  readonly ratings: Readonly<Record<string, number>>;
}
