import type { FailureReason } from '../../shared/failure-reason.js';
import type { KeptTokens } from '../../shared/kept-tokens.js';
import type { Oddity, TokenUsage } from '../../targets/target.js';
import type { AnswerFailure } from './answer-failure.js';

/** One attempt of a request, for its log line and its usage record. */
export interface AttemptRecord {
  /** `<upstream>/<model>`; of a trained model, its base: few values, so metrics may have it as a label. */
  readonly target: string;
  /** Id of the route that it was asked for. */
  readonly route: string;
  /** The model at the upstream, or the trained model. */
  readonly answeredAs: string;
  readonly outcome: 'ok' | 'stopped' | FailureReason;
  readonly durationMs: number;
  /** What it produced before it failed or was stopped; null: nothing that is known. */
  readonly usage: TokenUsage | null;
  /** Mean time from one answer chunk to the next, the end being the last; null: there were not two. */
  readonly chunkGapMs: number | null;
  /** Malformed frames, which were left out. */
  readonly malformedFrames: number;
}

/** How a request ended. */
export interface AnswerOutcome {
  /** `aborted`: the caller left, or read nothing for too long. */
  readonly status: 'ok' | 'failed' | 'aborted';
  /** Headers went out. When a failed request has none, the failure is still to be written. */
  readonly isCommitted: boolean;
  /** The error that the caller gets; `code` is that of the error frame when a part of the answer was sent. Null unless `failed`. */
  readonly failure: AnswerFailure | null;
  /** In order; the last one answered, if `ok`. */
  readonly attempts: readonly AttemptRecord[];
  /** Of the whole answer, or of the part that was forwarded. Null: nothing was. */
  readonly usage: TokenUsage | null;
  readonly oddities: readonly Oddity[];
  /** `finish_reason` of each choice of a whole answer, where known. */
  readonly finishReasons: readonly string[];
  /** Of a whole answer, for its call; absent or null: none. */
  readonly tokens?: KeptTokens | null;
  /** What a whole answer leaves out of what was asked for. Absent: nothing. */
  readonly warnings?: readonly string[] | undefined;
  /** JSON that the call keeps of a whole answer, in place of its bytes. Absent: the bytes. */
  readonly toKept?: (() => Buffer) | undefined;
  /** From the start to the first answer frame, or to the whole body; null: there was none. */
  readonly ttftMs: number | null;
  /** Time spent in queues for slots, in sum. */
  readonly queuedMs: number;
  readonly durationMs: number;
}
