import type { AnswerOutcome } from '../../dispatch/answer/outcome.js';
import { PlainSink } from '../plain-sink.js';

/** Writes embeddings as they are. The call keeps their usage, and not their numbers, which say nothing to a reader. */
export class EmbeddingsSink extends PlainSink {
  override settle(outcome: AnswerOutcome): Promise<void> {
    const tokens = outcome.usage?.promptTokens ?? 0;
    const kept = { object: 'list', usage: { prompt_tokens: tokens, total_tokens: tokens } };
    return this.reply.settle(outcome, Buffer.from(JSON.stringify(kept)));
  }
}
