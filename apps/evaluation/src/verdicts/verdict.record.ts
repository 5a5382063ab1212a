import type { Settlement } from '../queue/claim.record.js';

/** What becomes of a claimed verdict, whose id is that of its call. */
export interface VerdictSettlement extends Settlement {
  /** Of the feedback that says it; null: there is none. */
  readonly feedbackId: string | null;
}
