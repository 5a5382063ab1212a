import type { AttemptLimits, CompleteAnswer, TokenUsage } from '../target.js';
import type { TargetFailure } from '../target-failure.js';

/** Reads the body of one answer, in the way that its status and type ask for. */
export interface BodyConsumer {
  onData(chunk: Buffer): void;
  /** The body came to its proper end. */
  onEnd(): void;
  /** Null: nothing that can be counted. */
  produced(): TokenUsage | null;
  /** Frames that were left out because they were none; absent: the body has no frames. */
  readonly malformedFrames?: number;
}

/** What consumers do with what they find; all but the first end the attempt. */
export interface ConsumerHost {
  readonly limits: AttemptLimits;
  frames(bytes: Buffer, hasAnswer: boolean): void;
  complete(answer: CompleteAnswer): void;
  fail(failure: TargetFailure): void;
  /** From now on silence of this length ends the body, by `onSilence`. */
  expectWithin(ms: number, onSilence: () => void): void;
}
