import type { AttemptRecord } from '../routing/answer-sink.js';
import type { Target } from '../upstreams/target.js';
import type { TargetFailure } from '../upstreams/target-failure.js';

/** Looks on while a request is answered. Its calls are cheap, never per chunk, and never throw. */
export interface AnswerWatch {
  /**
   * A target is asked.
   *
   * @param number 1 for the request's first attempt, whatever its target
   * @returns who looks on at this attempt; null: nobody
   */
  attemptBegins(target: Target, number: number): AttemptWatch | null;
}

/** Looks on at one attempt. */
export interface AttemptWatch {
  /** Go to the upstream with the attempt, lower-case. */
  readonly headers: Readonly<Record<string, string>>;
  /** @param failure null: it answered, or was stopped */
  ended(record: AttemptRecord, failure: TargetFailure | null): void;
}
