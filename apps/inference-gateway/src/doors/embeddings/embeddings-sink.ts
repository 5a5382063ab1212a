import type { ReplySink } from '../../chat/reply-sink.js';
import type { AnswerFailure } from '../../dispatch/answer/answer-failure.js';
import type { AnswerSink } from '../../dispatch/answer/answer-sink.js';
import type { AnswerOutcome } from '../../dispatch/answer/outcome.js';

/** Writes embeddings as they are. The call keeps their usage, and not their numbers, which say nothing to a reader. */
export class EmbeddingsSink implements AnswerSink {
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

  settle(outcome: AnswerOutcome): Promise<void> {
    const tokens = outcome.usage?.promptTokens ?? 0;
    const kept = { object: 'list', usage: { prompt_tokens: tokens, total_tokens: tokens } };
    return this.reply.settle(outcome, Buffer.from(JSON.stringify(kept)));
  }

  end(bytes: Buffer): void {
    this.reply.end(bytes);
  }

  fail(failure: AnswerFailure): void {
    this.reply.fail(failure);
  }
}
