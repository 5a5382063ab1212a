import type { Settlement } from '../queue/claim.record.js';

/** Numbers and tags that a judge gave a changed answer. */
export interface FoundByProbe {
  readonly ratings: Readonly<Record<string, number>>;
  readonly tags: readonly string[];
}

/** What becomes of a claimed verdict, whose id is that of its call. */
export interface VerdictSettlement extends Settlement {
  /** Of the feedback that says it; null: there is none. */
  readonly feedbackId: string | null;
  /** What a probe found; null: the feedback says it, or nothing was found. */
  readonly found: FoundByProbe | null;
}
