import type { ReplySink } from '../chat/reply-sink.js';
import type { AnswerFailure } from '../dispatch/answer/answer-failure.js';
import type { AnswerSink } from '../dispatch/answer/answer-sink.js';
import type { AnswerOutcome } from '../dispatch/answer/outcome.js';

/** Writes an answer as it comes; doors whose answers are no chats change what they must. */
export class PlainSink implements AnswerSink {
  constructor(protected readonly reply: ReplySink) {}

  commit(headers: Readonly<Record<string, string>>): void {
    this.reply.commit(headers);
  }

  write(bytes: Buffer): boolean {
    return this.reply.send(bytes);
  }

  onDrain(run: () => void): void {
    this.reply.onDrain(run);
  }

  get pendingBytes(): number {
    return this.reply.pendingBytes;
  }

  settle(outcome: AnswerOutcome, bytes: Buffer): Promise<void> {
    return this.reply.settle(outcome, bytes);
  }

  end(bytes: Buffer): void {
    this.reply.end(bytes);
  }

  fail(failure: AnswerFailure): void {
    this.reply.fail(failure);
  }
}
