import type { AnswerOutcome, AttemptRecord } from '../../dispatch/answer/outcome.js';
import type { ObservedRequest } from './observed-request.js';

/** The step from a failed attempt to the next one. */
export interface Transition {
  readonly kind: 'retry' | 'failover';
  /** The attempt that failed. */
  readonly from: AttemptRecord;
}

/** The transitions between attempts: retries on the same target, and fail-overs to another. */
export function transitionsOf(attempts: readonly AttemptRecord[]): Transition[] {
  return attempts.slice(1).map((next, index) => {
    const from = attempts[index] as AttemptRecord;
    const isSame = from.target === next.target;
    return { kind: isSame ? 'retry' : 'failover', from };
  });
}

/** Progress of a request when its caller left: before dispatch, waiting for a target, or after an attempt began. */
export type AbortWindow = 'admission' | 'queued' | 'before_first_token' | 'streaming';

export function abortWindowOf(outcome: AnswerOutcome | null): AbortWindow {
  if (outcome === null) return 'admission';
  if (outcome.attempts.at(-1)?.outcome !== 'stopped') return 'queued';
  return outcome.ttftMs === null ? 'before_first_token' : 'streaming';
}

/** The target of the last attempt; `none`: there was no attempt. */
export function lastTargetOf({ outcome }: ObservedRequest): string {
  return outcome?.attempts.at(-1)?.target ?? 'none';
}
