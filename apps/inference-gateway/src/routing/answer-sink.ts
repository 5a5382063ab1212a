import type { FailureReason } from '../upstreams/target-failure.js';
import type { Oddity, TokenUsage } from '../upstreams/target.js';
import type { AnswerFailure } from './answer-failure.js';

/** One try of a request, for its log and its usage row. */
export interface AttemptRecord {
  /** `<upstream>/<model>`; of a trained model, its base. So these are few. */
  readonly target: string;
  /** The model at the upstream, or the trained one. */
  readonly answeredAs: string;
  readonly outcome: 'ok' | 'stopped' | FailureReason;
  readonly durationMs: number;
  /** What it produced before it failed or was stopped; null: nothing that is known. */
  readonly usage: TokenUsage | null;
  /** Mean time from one answer chunk to the next, the end being the last; null: there were not two. */
  readonly chunkGapMs: number | null;
  /** Frames that were left out because they were none. */
  readonly malformedFrames: number;
}

/** What became of a request. */
export interface AnswerOutcome {
  /** `aborted`: the caller left, or took nothing for too long. */
  readonly status: 'ok' | 'failed' | 'aborted';
  /** Headers went out. When a failed request has none, the failure is still to be written. */
  readonly isCommitted: boolean;
  /** As the caller is told: `code` is the one in the stream when something of an answer went out. Null unless `failed`. */
  readonly failure: AnswerFailure | null;
  /** In order; the last one answered, if `ok`. */
  readonly attempts: readonly AttemptRecord[];
  /** Of the whole answer, or of what was forwarded of it. Null: nothing was. */
  readonly usage: TokenUsage | null;
  readonly oddities: readonly Oddity[];
  /** `finish_reason` of each choice of a whole answer, as far as they are known. */
  readonly finishReasons: readonly string[];
  /** From the start to the first answer frame, or to the whole body; null: there was none. */
  readonly ttftMs: number | null;
  /** Spent in queues for targets' places, in sum. */
  readonly queuedMs: number;
  readonly durationMs: number;
}

/** Where an answer goes: the caller's connection, seen from behind. */
export interface AnswerSink {
  /** Status 200 and these headers, lower-case, beside those that every answer has. Called at most once. */
  commit(headers: Readonly<Record<string, string>>): void;
  /** @returns false: the caller is slow, and nothing more should come before `onDrain` */
  write(bytes: Buffer): boolean;
  /** `run` is called each time there is room again. */
  onDrain(run: () => void): void;
  /** Bytes that were written and that the caller has not taken. */
  readonly pendingBytes: number;
  /**
   * The answer is whole, and its last bytes have not been written: whatever must be on record before the caller can
   * know that it is whole goes on record now.
   *
   * @throws Error it cannot be recorded: the answer becomes a failure
   */
  settle(outcome: AnswerOutcome): void | Promise<void>;
  /** The last bytes of a whole answer. */
  end(bytes: Buffer): void;
  /** The last bytes of one that failed after the commit: a frame that says so. The connection ends cleanly. */
  fail(frame: Buffer): void;
}
