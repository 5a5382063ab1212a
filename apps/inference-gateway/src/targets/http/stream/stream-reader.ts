import type { TokenUsage } from '../../target.js';
import type { TargetFailure } from '../../target-failure.js';
import type { StreamProgress } from './framed-stream.js';

/** Reads the stream of an answer in the form of one endpoint, and knows when it is whole. */
export interface StreamReader {
  /** Fast path. @returns the chunk's frame for the caller; null: {@link push} must read it */
  passText(chunk: Buffer): Buffer | null;
  push(chunk: Buffer): StreamProgress;
  /** The body has ended. */
  end(): StreamProgress;
  /** An answer frame has arrived, passed on or held back. */
  readonly hasStarted: boolean;
  /** The answer has ended; only what follows an end may come. */
  readonly isFinished: boolean;
  /** Nothing follows. */
  readonly isDone: boolean;
  /** Frames that were dropped. */
  readonly malformedFrames: number;
  /** Frames with a token. */
  readonly tokenFrames: number;
  /** As the upstream reported it last; null: not so far. */
  readonly usage: TokenUsage | null;
  /** `finish_reason` of the choices that have ended. */
  readonly finishReasons: readonly string[];
  /** What silence amid the answer means. */
  readonly silence: TargetFailure;
  /** What shows, at the end of the answer, that a part of it was lost; null: nothing does. */
  lostPart(): TargetFailure | null;
  /** The frames that were held back, and the end. @param usage what is recorded of the answer */
  takeRest(usage: TokenUsage): Buffer;
}
