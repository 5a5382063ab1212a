import type { Endpoint } from '../../shared/endpoint.js';
import type { AnswerFailure } from './answer-failure.js';
import type { AnswerOutcome } from './outcome.js';

/** Where an answer is written: the caller's connection. */
export interface AnswerSink {
  /** An attempt begins; what the sink gets of an answer from now on is in the form of this endpoint. Absent: it need not know. */
  answersIn?(endpoint: Endpoint): void;
  /** Status 200 and these headers, lower-case, beside those that every answer has. Called at most once. */
  commit(headers: Readonly<Record<string, string>>): void;
  /** @returns false: backpressure, write nothing more before `onDrain` */
  write(bytes: Buffer): boolean;
  /** `run` is called each time the connection takes bytes again. */
  onDrain(run: () => void): void;
  /** Bytes that were written and that the caller has not read. */
  readonly pendingBytes: number;
  /**
   * The answer is whole, and its last bytes have not been written: the sink records now whatever must be durable
   * before the caller can know that the answer is whole.
   *
   * @param bytes the last ones, which {@link end} will get
   * @throws Error it cannot be recorded: the answer becomes a failure
   */
  settle(outcome: AnswerOutcome, bytes: Buffer): void | Promise<void>;
  /** The last bytes of a whole answer. */
  end(bytes: Buffer): void;
  /** A stream failed after the commit: its last frame says so, and the connection ends cleanly. */
  fail(failure: AnswerFailure): void;
}
