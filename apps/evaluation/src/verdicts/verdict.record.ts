/** A verdict that this process is to find. */
export interface ClaimedVerdict {
  readonly callId: string;
  /** Begins the ids of its requests to the gateway. */
  readonly uid: string;
  /** Fences off whoever claims it later, or did before. */
  readonly attempt: number;
  /** Tries that failed before. */
  readonly failures: number;
}

/** What becomes of a claimed verdict. */
export interface Settlement {
  readonly callId: string;
  readonly attempt: number;
  readonly state: 'pending' | 'done' | 'skipped' | 'failed';
  readonly code: string | null;
  /** Of the feedback that says it; null: there is none. */
  readonly feedbackId: string | null;
  readonly costNanoUsd: number;
  readonly isCostOpen: boolean;
  /** Milliseconds until it may be claimed again. */
  readonly delayMs: number;
}
