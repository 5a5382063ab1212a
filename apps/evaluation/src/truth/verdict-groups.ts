import type { Moments } from '@hone/statistics';

/** A draw for labelling that a call took part in. */
export interface CallDraw {
  readonly queueId: string;
  /** Queues of one seed draw alike. */
  readonly seed: number;
  /** To be drawn, above 0 up to 1. Absent of calls without a label, whose chance nothing needs. */
  readonly chance?: number;
  readonly isDrawn: boolean;
  /** People had labelled the call before, so that it was there for sure. */
  readonly isKnown: boolean;
}

/** Judged calls that have one verdict, one label and the same chances to be labelled. */
export interface VerdictGroup {
  readonly judge: number;
  /** JSON text of what stands where the truth has its labels. */
  readonly label: string;
  readonly calls: number;
  /** Null: no label queue could draw the calls. */
  readonly draws: readonly CallDraw[] | null;
  /** Ids of the first calls, and of the feedback that judges each. */
  readonly callIds: readonly string[];
  readonly feedbackIds: readonly string[];
}

/** Judged calls where nothing stands, which the same label queues drew. */
export interface UnlabelledCalls {
  /** Draws that drew the calls. Null: no label queue could draw them. */
  readonly draws: readonly CallDraw[] | null;
  readonly verdicts: Moments;
  /** Whether all verdicts are 0 or 1. */
  readonly isBinary: boolean;
  /** How many of these calls have feedback of the truth's type all the same. */
  readonly unread: number;
}

/** The verdicts that a report is made of. */
export interface FoundVerdicts {
  readonly groups: readonly VerdictGroup[];
  readonly others: readonly UnlabelledCalls[];
}
