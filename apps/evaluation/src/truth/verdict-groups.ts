import type { Moments } from '@hone/statistics';

/** Judged calls that have one verdict and one label. */
export interface VerdictGroup {
  readonly judge: number;
  /** JSON text of what stands where the truth has its labels. */
  readonly label: string;
  readonly calls: number;
  /** Ids of the first calls, and of the feedback that judges each. */
  readonly callIds: readonly string[];
  readonly feedbackIds: readonly string[];
}

/** The verdicts that a report is made of. */
export interface FoundVerdicts {
  readonly groups: readonly VerdictGroup[];
  /** Verdicts of calls where nothing stands. */
  readonly others: Moments;
  /** Whether all of these are 0 or 1. */
  readonly othersAreBinary: boolean;
  /** How many of these calls have feedback of the truth's type all the same. */
  readonly unread: number;
}
