import type { AnswerOutcome, AttemptRecord } from '../../dispatch/outcome.js';
import type { ObservedRequest } from './observed-request.js';

/** One attempt followed another, because of how that one ended. */
export interface Transition {
  readonly kind: 'retry' | 'failover';
  /** The attempt that failed. */
  readonly from: AttemptRecord;
}

/** What led from each attempt to the next: another try of the same target, or of another. */
export function transitionsOf(attempts: readonly AttemptRecord[]): Transition[] {
  return attempts.slice(1).map((next, index) => {
    const from = attempts[index] as AttemptRecord;
    const isSame = from.target === next.target;
    return { kind: isSame ? 'retry' : 'failover', from };
  });
}

/** How far a request had come when its caller left: before a target was looked for, before a target was asked again or at all, or after. */
export type AbortWindow = 'admission' | 'queued' | 'before_first_token' | 'streaming';

export function abortWindowOf(outcome: AnswerOutcome | null): AbortWindow {
  if (outcome === null) return 'admission';
  if (outcome.attempts.at(-1)?.outcome !== 'stopped') return 'queued';
  return outcome.ttftMs === null ? 'before_first_token' : 'streaming';
}

/** The target that answered, or that was asked last; `none`: none was. */
export function lastTargetOf({ outcome }: ObservedRequest): string {
  return outcome?.attempts.at(-1)?.target ?? 'none';
}
