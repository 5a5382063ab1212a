import type { ReplySink } from '../../chat/reply-sink.js';
import type { AnswerSink } from '../../dispatch/answer/answer-sink.js';
import type { AnswerOutcome } from '../../dispatch/answer/outcome.js';

/** Writes audio as it comes. The call keeps none of it. Where it breaks off, so does the connection: audio has no error frame. */
export class SpeechSink implements AnswerSink {
  constructor(private readonly reply: ReplySink) {}

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

  fail(): void {
    this.reply.breakOff();
  }
}
