import type { AttemptLimits, CompleteAnswer, TokenUsage } from '../target.js';
import type { TargetFailure } from '../target-failure.js';

/** Reads the body of one response; its status and content type select the implementation. */
export interface BodyConsumer {
  /** @returns false: the bytes carry the answer no further, such as comments that keep a connection alive */
  onData(chunk: Buffer): boolean;
  /** The body is complete. */
  onEnd(): void;
  /** Usage so far; null: unknown. */
  produced(): TokenUsage | null;
  /** Malformed frames that were dropped; absent: the body has no frames. */
  readonly malformedFrames?: number;
}

/** Receives what a consumer reads. `complete` and `fail` end the attempt. */
export interface ConsumerHost {
  readonly limits: AttemptLimits;
  /** @param contentType of bytes that are no frames; absent: they are */
  frames(bytes: Buffer, hasAnswer: boolean, contentType?: string): void;
  complete(answer: CompleteAnswer): void;
  fail(failure: TargetFailure): void;
  /** Sets the idle timeout: `onSilence` is called when the answer does not go on for `ms`. */
  expectWithin(ms: number, onSilence: () => void): void;
}
