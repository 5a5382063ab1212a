import type { FailureReason } from '../../shared/failure-reason.js';
import type { AttemptRecord } from './outcome.js';

/** The target of an attempt, by its names in the configuration. */
export interface AttemptTarget {
  readonly upstream: string;
  readonly model: string;
}

/** Why an attempt failed, as far as it is observed. */
export interface AttemptFailure {
  readonly reason: FailureReason;
  readonly upstreamStatus?: number;
}

/** Hooks that telemetry hangs on. Their calls are cheap, never per chunk, and never throw. */
export interface AnswerObserver {
  /**
   * An attempt begins.
   *
   * @param number 1 for the request's first attempt, whatever its target
   * @returns the observer of this attempt; null: none
   */
  attemptBegins(target: AttemptTarget, number: number): AttemptObserver | null;
}

export interface AttemptObserver {
  /** Headers that the upstream gets with the attempt, lower-case. */
  readonly headers: Readonly<Record<string, string>>;
  /** @param failure null: the target answered, or the attempt was aborted */
  ended(record: AttemptRecord, failure: AttemptFailure | null): void;
}
